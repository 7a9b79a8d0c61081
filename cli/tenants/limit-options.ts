/** Limits and permissions on the command line: their options, and the fields of the admin API that they are. */
import type { LimitField, LimitsInput } from '../../lib/admin/tenancy-schema.ts';
import { type CommandContext, type CommandOption, UsageError } from '../command.ts';

type Options = CommandContext['options'];

type LimitOption = readonly [field: LimitField, unit: string, description: string];

const limitTable: Readonly<Record<string, LimitOption>> = {
  requests: ['requests_per_minute', 'requests per minute', 'Requests per minute'],
  tokens: ['tokens_per_minute', 'tokens per minute', 'Tokens per minute, input and output together'],
  concurrent: ['concurrent_requests', 'concurrent requests', 'Concurrent requests'],
  'daily-budget': ['daily_budget_usd', 'USD per day', 'Budget for each day (UTC)'],
  'weekly-budget': ['weekly_budget_usd', 'USD per week', 'Budget for each week from Monday to Sunday (UTC)'],
  budget: ['monthly_budget_usd', 'USD per month', 'Budget for each calendar month (UTC)'],
  'total-budget': ['total_budget_usd', 'USD in total', 'Budget that never starts again'],
  credit: ['credit_usd', 'USD prepaid', 'Total prepaid amount; usage is deducted from it'],
};

const isMoney = (field: LimitField) => field.endsWith('_usd');

export const limitOptions: Readonly<Record<string, CommandOption>> = {
  ...Object.fromEntries(
    Object.entries(limitTable).map(([name, [field, , description]]) => [
      name,
      { value: isMoney(field) ? '<usd>' : '<number>', description },
    ]),
  ),
  'include-own-keys': {
    value: 'yes|no',
    description: "Whether budgets also count what the tenant's own keys cost at list price (default: no)",
  },
};

/** The limits that an end user can have. */
export const { credit: _, ...userLimitOptions } = limitOptions;

/** As which option each field is typed. */
export const limitsTypedAs = {
  ...Object.fromEntries(Object.entries(limitTable).map(([name, [field]]) => [field, `--${name}`])),
  include_own_keys: '--include-own-keys',
};

/** Null for a limit given as none. What is no number at all is left to the schema. */
const readLimits = (options: Options): LimitsInput => ({
  ...Object.fromEntries(
    Object.entries(limitTable).flatMap(([name, [field]]): [string, string | number | null][] => {
      const text = options[name];
      if (text === undefined) return [];
      if (text === 'none') return [[field, null]];
      return [[field, isMoney(field) ? text : readWhole(text)]];
    }),
  ),
  ...includedKeys(options['include-own-keys']),
});

function includedKeys(text: string | undefined): LimitsInput {
  if (text === undefined) return {};
  if (text === 'yes' || text === 'no') return { include_own_keys: text === 'yes' };
  throw new UsageError(`--include-own-keys must be yes or no, not ${text}.`);
}

/** Not a number for anything but digits. */
export const readWhole = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN);

/** At least one of the limits of these options. */
export function requireLimits(options: Options, known: Readonly<Record<string, CommandOption>>): LimitsInput {
  const limits = readLimits(options);
  if (Object.keys(limits).length > 0) return limits;
  const names = Object.keys(known).map((name) => `--${name}`);
  throw new UsageError(`Give at least one limit: ${names.join(', ')}`);
}

/** For people, on one line. */
export function describeLimits(limits: LimitsInput): string {
  const parts = Object.values(limitTable).flatMap(([field, unit]) => {
    const amount = limits[field] ?? null;
    return amount === null ? [] : [`${amount} ${unit}`];
  });
  if (limits.include_own_keys) parts.push('budgets with own keys');
  return parts.join(', ') || 'no limits';
}

export const permissionOptions: Readonly<Record<'models' | 'operations', CommandOption>> = {
  models: {
    value: '<list>',
    description: "Allowed models: comma-separated ids, 'openai/*' for all of an owner (default: all)",
  },
  operations: { value: '<list>', description: 'Allowed operations, comma-separated (default: all)' },
};

/** Comma-separated; null for all. */
export const readList = (text: string): string[] | null =>
  text === 'all' ? null : [...new Set(text.split(',').map((entry) => entry.trim()))];

/** The limits and permissions of a new key or tenant. */
export const readTenancy = (options: Options) => ({
  limits: readLimits(options),
  ...(options.models !== undefined && { models: readList(options.models) }),
  ...(options.operations !== undefined && { operations: readList(options.operations) }),
});
