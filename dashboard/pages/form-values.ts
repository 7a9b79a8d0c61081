/** The forms of keys and tenants: their values as texts, and what the API gets of them. */

import type { CacheAnswer } from '../../lib/admin/cache-fields.ts';
import type { KeyRow } from '../../lib/admin/keys/schema.ts';
import type { DataPolicyAnswer } from '../../lib/admin/tenancy-schema.ts';
import { type OperationName, operationNames } from '../../lib/core/operations/operation.ts';
import { daySeconds } from '../../lib/core/time.ts';
import { limitDollars } from '../format/money.ts';
import { cacheOf, cacheWords } from './cache-words.ts';
import { policyOf, policyWords } from './data-policy.ts';

interface LimitRow {
  readonly field: Exclude<keyof KeyRow['limits'], 'credit_usd' | 'include_own_keys'>;
  readonly title: string;
  readonly isMoney: boolean;
}

/** Budgets in dollars, then numbers. */
export const limitRows: readonly LimitRow[] = [
  { field: 'daily_budget_usd', title: 'A day', isMoney: true },
  { field: 'weekly_budget_usd', title: 'A week', isMoney: true },
  { field: 'monthly_budget_usd', title: 'A month', isMoney: true },
  { field: 'total_budget_usd', title: 'In all', isMoney: true },
  { field: 'requests_per_minute', title: 'Requests a minute', isMoney: false },
  { field: 'tokens_per_minute', title: 'Tokens a minute', isMoney: false },
  { field: 'concurrent_requests', title: 'Requests at once', isMoney: false },
];

/** Operations that ask for no key. */
const open: readonly OperationName[] = ['models', 'models-retrieve', 'openapi'];

/** What a key may be restricted to. */
export const keyedOperations = operationNames.filter((name) => !open.includes(name));

type Value = string | readonly string[];
export type Values = Readonly<Record<string, Value>>;

interface Field {
  readonly title: string;
  /** What the form holds of what the API has. */
  read(given: unknown): Value;
  /** What the API gets; null removes. */
  write(held: Value): unknown;
}

/** By the names of the API's parameters, with a point before the member of an object. */
export type Fields = Readonly<Record<string, Field>>;

const textOf = (given: unknown) => String(given ?? '');

const text = (title: string, write: Field['write'] = (held) => textOf(held).trim() || null): Field => ({
  title,
  read: textOf,
  write,
});

const list = (title: string): Field => ({
  title,
  read: (given) => (given ?? []) as readonly string[],
  write: (held) => (held.length === 0 ? null : held),
});

const limits = (group: string, titleOf: (title: string) => string): Fields => ({
  ...Object.fromEntries(
    limitRows.map(({ field, title, isMoney }) => [
      `${group}.${field}`,
      text(titleOf(title), (held) => limitOf(textOf(held), isMoney)),
    ]),
  ),
  [`${group}.include_own_keys`]: {
    title: titleOf(ownKeysTitle),
    read: (given) => (given === true ? checked : ''),
    write: (held) => held === checked || null,
  },
});

export const ownKeysTitle = "Count calls with the tenant's own keys, at list price";

/** What the form holds of a box that is checked. */
export const checked = 'yes';

/** What is no number goes as it is, so that the API names the field and what it wants. */
function limitOf(typed: string, isMoney: boolean): string | number | null {
  const given = amountOf(typed);
  if (given === '') return null;
  return isMoney || !/^\d+$/.test(given) ? given : Number(given);
}

/** A typed amount of dollars as the API takes it: `1000.50` for `$1,000.50`. */
export const amountOf = (typed: string): string =>
  typed
    .trim()
    .replace('$', '')
    .replaceAll(/[,\s_]/g, '');

export const newTenantFields: Fields = {
  ...limits('limits', (title) => title),
  models: list('Models'),
  operations: list('Operations'),
  data_policy: {
    title: 'Data policy',
    read: (policy) => policyWords((policy ?? null) as DataPolicyAnswer),
    write: (words) => policyOf(words as readonly string[]),
  },
  cache: {
    title: 'Cached answers',
    read: (cache) => cacheWords((cache ?? null) as CacheAnswer),
    write: (words) => cacheOf(words as readonly string[]),
  },
};

export const keyFields: Fields = {
  ...newTenantFields,
  name: text('Name'),
  owner: text('Owner'),
  guardrails: list('Guardrails'),
  /** A date of UTC, of which the whole day counts. */
  expires_at: {
    title: 'Last day',
    read: (end) => (end ? new Date((Number(end) - 1) * 1_000).toISOString().slice(0, 10) : ''),
    write: (date) => (date === '' ? null : Date.parse(textOf(date)) / 1_000 + daySeconds),
  },
};

export const tenantFields: Fields = {
  ...newTenantFields,
  ...limits('user_limits', (title) => `Each user: ${title.toLowerCase()}`),
  /** Percentages, comma-separated. */
  'alerts.at': {
    title: 'Alerts at',
    read: (shares) => ((shares ?? []) as readonly number[]).join(', '),
    write: (held) => (textOf(held).trim() === '' ? null : percentsOf(textOf(held))),
  },
  'alerts.webhook_url': text('Webhook'),
  on_database_failure: text('While limits cannot be checked'),
  throughput: text('Requests a second', Number),
};

const percentsOf = (typed: string) => typed.split(',').map((part) => Number(part.replace('%', '').trim()));

/** Of a key or a tenant; `{}`: of a new one. */
export const valuesOf = (fields: Fields, subject: object): Values =>
  Object.fromEntries(Object.entries(fields).map(([name, { read }]) => [name, read(memberOf(subject, name))]));

const memberOf = (subject: object, name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], subject);

/** What differs from before. Without `before`, for a new one. */
export function inputOf(fields: Fields, values: Values, before = valuesOf(fields, {})): object {
  const input: Record<string, unknown> = {};
  for (const [name, { write }] of Object.entries(fields)) {
    const value = values[name] ?? '';
    if (JSON.stringify(value) === JSON.stringify(before[name])) continue;
    const [group = '', member] = name.split('.');
    input[group] =
      member === undefined ? write(value) : { ...(input[group] as object), [member]: write(value) };
  }
  return input;
}

/** Of a key, in a few words: `$50 a day, 600 requests a minute`. */
export function limitsText({ limits: given }: Pick<KeyRow, 'limits'>): string | null {
  const set = limitRows.flatMap(({ field, title, isMoney }) => {
    const value = given[field];
    if (value === null) return [];
    return `${isMoney ? limitDollars(String(value)) : Number(value).toLocaleString('en')} ${title.toLowerCase()}`;
  });
  if (set.length === 0) return null;
  return [...set, ...(given.include_own_keys ? ['own keys included'] : [])].join(', ');
}
