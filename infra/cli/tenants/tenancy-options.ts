/** Limits and permissions on the command line: money in US dollars, comma-separated lists. */
import { formatDollars, parseDollars } from '../../../lib/core/accounting/money.ts';
import { operations } from '../../../lib/core/operations.ts';
import { isModelPattern, isOperationName, type Limits } from '../../../lib/core/tenancy.ts';
import type { Tenancy, TenancyChange } from '../../../lib/stores/access/tenancy-fields.ts';
import { type CommandContext, type CommandOption, UsageError } from '../command.ts';
import type { Row } from '../output/rows.ts';

type Options = CommandContext['options'];

interface LimitOption extends CommandOption {
  readonly limit: keyof Limits;
  /** The field in a listing. */
  readonly field: string;
  readonly isMoney: boolean;
  readonly unit: string;
}

const count = { value: '<number>', isMoney: false };
const money = { value: '<usd>', isMoney: true };

const limitTable: Readonly<Record<string, LimitOption>> = {
  requests: {
    ...count,
    limit: 'requestsPerMinute',
    field: 'requests_per_minute',
    unit: 'requests per minute',
    description: 'Requests per minute',
  },
  tokens: {
    ...count,
    limit: 'tokensPerMinute',
    field: 'tokens_per_minute',
    unit: 'tokens per minute',
    description: 'Tokens per minute, input and output together',
  },
  concurrent: {
    ...count,
    limit: 'concurrentRequests',
    field: 'concurrent_requests',
    unit: 'concurrent requests',
    description: 'Concurrent requests',
  },
  budget: {
    ...money,
    limit: 'monthlyBudget',
    field: 'monthly_budget_usd',
    unit: 'USD per month',
    description: 'Budget for each calendar month (UTC)',
  },
  credit: {
    ...money,
    limit: 'credit',
    field: 'credit_usd',
    unit: 'USD prepaid',
    description: 'Total prepaid amount; usage is deducted from it',
  },
};

export const limitOptions: Readonly<Record<string, CommandOption>> = limitTable;

export const operationNames: readonly string[] = operations.map(({ name }) => name);

export const permissionOptions: Readonly<Record<'models' | 'operations', CommandOption>> = {
  models: {
    value: '<list>',
    description: "Allowed models: comma-separated ids, 'openai/*' for all of an owner (default: all)",
  },
  operations: { value: '<list>', description: 'Allowed operations, comma-separated (default: all)' },
};

/** Null for a limit given as none. Throws UsageError for an invalid amount. */
export function readLimits(options: Options): NonNullable<TenancyChange['limits']> {
  const given = Object.entries(limitTable).flatMap(([key, option]) => {
    const text = options[key];
    return text === undefined ? [] : [[option.limit, readAmount(key, text, option)]];
  });
  return Object.fromEntries(given);
}

function readAmount(key: string, text: string, { isMoney }: LimitOption): number | null {
  if (text === 'none') return null;
  if (isMoney) {
    const amount = parseDollars(text);
    if (amount !== undefined) return amount;
    const form = 'an amount in USD such as 50 or 0.25 (at most nine decimals, below 9 million)';
    throw new UsageError(`--${key} must be ${form} or none, not ${text}.`);
  }
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && Number.isSafeInteger(number)) return number;
  throw new UsageError(`--${key} must be a whole number of at least 1 or none, not ${text}.`);
}

/** Null for all. */
export function readModels(text: string): readonly string[] | null {
  return readList(text, (entry) => {
    if (isModelPattern(entry)) return entry;
    throw new UsageError(
      `Invalid model: ${entry}. Give a model id (owner/model) or all models of an owner (owner/*).`,
    );
  });
}

/** Null for all. */
export function readOperations(text: string): TenancyChange['operations'] {
  return readList(text, (entry) => {
    if (isOperationName(entry)) return entry;
    throw new UsageError(`Unknown operation: ${entry}. The operations are: ${operationNames.join(', ')}`);
  });
}

function readList<Entry>(text: string, read: (entry: string) => Entry): readonly Entry[] | null {
  if (text === 'all') return null;
  return [...new Set(text.split(',').map((entry) => read(entry.trim())))];
}

/** The limits and permissions of a new key or tenant. */
export function readTenancy(options: Options): Tenancy {
  const limits = Object.entries(readLimits(options)).filter(([, value]) => value !== null);
  const models = options.models === undefined ? null : readModels(options.models);
  const allowed = options.operations === undefined ? null : readOperations(options.operations);
  return {
    ...(limits.length > 0 && { limits: Object.fromEntries(limits) }),
    ...(models && { models }),
    ...(allowed && { operations: allowed }),
  };
}

/** The fields of a listing; null where there is no limit. */
export function tenancyRow({ limits = {}, models, operations: allowed }: Tenancy): Row {
  const fields = Object.values(limitTable).map(({ limit, field, isMoney }) => {
    const amount = limits[limit];
    if (amount === undefined) return [field, null];
    return [field, isMoney ? formatDollars(amount) : amount];
  });
  return { ...Object.fromEntries(fields), models: models ?? null, operations: allowed ?? null };
}

/** For people, on one line. */
export function describeLimits(limits: Limits = {}): string {
  const parts = Object.values(limitTable).flatMap(({ limit, unit, isMoney }) => {
    const amount = limits[limit];
    if (amount === undefined) return [];
    return [`${isMoney ? formatDollars(amount) : amount} ${unit}`];
  });
  return parts.join(', ') || 'no limits';
}
