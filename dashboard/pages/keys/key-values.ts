/** The form of a key: its values as texts, and what the API gets of them. */
import type { KeyRow, KeysChangeInput } from '../../../lib/admin/keys/schema.ts';
import type { OperationName } from '../../../lib/core/operations.ts';

/** Budgets in dollars, then numbers. */
export const limitRows = [
  { field: 'daily_budget_usd', title: 'A day', isMoney: true },
  { field: 'weekly_budget_usd', title: 'A week', isMoney: true },
  { field: 'monthly_budget_usd', title: 'A month', isMoney: true },
  { field: 'total_budget_usd', title: 'In all', isMoney: true },
  { field: 'requests_per_minute', title: 'Requests a minute', isMoney: false },
  { field: 'tokens_per_minute', title: 'Tokens a minute', isMoney: false },
  { field: 'concurrent_requests', title: 'Requests at once', isMoney: false },
] as const;

type LimitField = (typeof limitRows)[number]['field'];

/** What a key may be restricted to. */
export const operationNames = [
  'chat-completions',
  'responses',
  'responses-retrieve',
  'responses-delete',
  'responses-input-items',
  'responses-input-tokens',
  'responses-compact',
  'messages',
  'messages-count-tokens',
  'completions',
  'embeddings',
  'images-generations',
  'usage-retrieve',
  'usage-request',
] as const satisfies readonly OperationName[];

/** Fields have the names of the API's parameters. */
interface KeyValues extends Record<string, string | boolean | readonly string[]> {
  readonly tenant: string;
  readonly name: string;
  readonly owner: string;
  /** A date of UTC, of which the whole day counts. */
  readonly expires_at: string;
  readonly models: readonly string[];
  readonly operations: readonly string[];
}

const day = 86_400;

export function valuesOf(key: Partial<KeyRow>, tenant = key.tenant ?? ''): KeyValues {
  const limits = limitRows.map(({ field }) => [`limits.${field}`, String(key.limits?.[field] ?? '')]);
  const { expires_at: end } = key;
  return {
    tenant,
    name: key.name ?? '',
    owner: key.owner ?? '',
    expires_at: end ? new Date((end - 1) * 1_000).toISOString().slice(0, 10) : '',
    models: key.models ?? [],
    operations: key.operations ?? [],
    ...Object.fromEntries(limits),
  };
}

const titles: Readonly<Record<string, string>> = {
  name: 'Name',
  owner: 'Owner',
  expires_at: 'Last day',
  models: 'Models',
  operations: 'Operations',
};

/** The title of a field, by its name. */
export const titleOf = (name: string): string =>
  titles[name] ?? limitRows.find(({ field }) => `limits.${field}` === name)?.title ?? name;

/** What differs from before; null removes. Without `before`, for a new key. */
export function inputOf(values: KeyValues, before: KeyValues = valuesOf({})): KeysChangeInput {
  const isSame = (name: string) => JSON.stringify(values[name]) === JSON.stringify(before[name]);
  const changed = <Value>(name: string, value: Value) => (isSame(name) ? {} : { [name]: value });
  const listOf = (list: readonly string[]) => (list.length === 0 ? null : [...list]);
  const limits = limitRows
    .filter(({ field }) => !isSame(`limits.${field}`))
    .map((row) => [row.field, limitOf(row, String(values[`limits.${row.field}`]))] as const);
  return {
    ...changed('name', values.name.trim() || null),
    ...changed('owner', values.owner.trim() || null),
    ...changed('expires_at', values.expires_at === '' ? null : Date.parse(values.expires_at) / 1_000 + day),
    ...changed('models', listOf(values.models)),
    ...changed('operations', listOf(values.operations)),
    ...(limits.length > 0 && { limits: Object.fromEntries(limits) }),
  };
}

/** What is no number goes as it is, so that the API names the field and what it wants. */
export function limitOf(
  { isMoney }: { readonly field: LimitField; readonly isMoney: boolean },
  text: string,
) {
  const given = text
    .trim()
    .replace(/^\$/, '')
    .replaceAll(/[,\s_]/g, '');
  if (given === '') return null;
  return isMoney || !/^\d+$/.test(given) ? given : Number(given);
}

/** Of a key, in a few words: `$50 a day, 600 requests a minute`. */
export function limitsText({ limits }: Pick<KeyRow, 'limits'>): string | null {
  const set = limitRows.flatMap(({ field, title, isMoney }) => {
    const value = limits[field];
    if (value === null) return [];
    return isMoney
      ? `$${value} ${title.toLowerCase()}`
      : `${Number(value).toLocaleString('en')} ${title.toLowerCase()}`;
  });
  return set.length === 0 ? null : set.join(', ');
}
