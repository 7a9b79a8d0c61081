/** The limits of the command line: their options, their names in listings, and how they are read and written. */
import { formatDollars, parseDollars } from '../../lib/core/accounting/money.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import type { LimitsChange } from '../../lib/stores/access/tenancy-fields.ts';
import { type CommandContext, type CommandOption, UsageError } from '../command.ts';
import type { Row } from '../output/rows.ts';

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
  'daily-budget': {
    ...money,
    limit: 'dailyBudget',
    field: 'daily_budget_usd',
    unit: 'USD per day',
    description: 'Budget for each day (UTC)',
  },
  'weekly-budget': {
    ...money,
    limit: 'weeklyBudget',
    field: 'weekly_budget_usd',
    unit: 'USD per week',
    description: 'Budget for each week from Monday to Sunday (UTC)',
  },
  budget: {
    ...money,
    limit: 'monthlyBudget',
    field: 'monthly_budget_usd',
    unit: 'USD per month',
    description: 'Budget for each calendar month (UTC)',
  },
  'total-budget': {
    ...money,
    limit: 'totalBudget',
    field: 'total_budget_usd',
    unit: 'USD in total',
    description: 'Budget that never starts again',
  },
  credit: {
    ...money,
    limit: 'credit',
    field: 'credit_usd',
    unit: 'USD prepaid',
    description: 'Total prepaid amount; usage is deducted from it',
  },
};

const { credit: _, ...userTable } = limitTable;

export const limitOptions: Readonly<Record<string, CommandOption>> = limitTable;

/** The limits that an end user can have. */
export const userLimitOptions: Readonly<Record<string, CommandOption>> = userTable;

/** Null for a limit given as none. Throws UsageError for an invalid amount. */
export function readLimits(options: CommandContext['options']): LimitsChange {
  const given = Object.entries(limitTable).flatMap(([key, option]) => {
    const text = options[key];
    return text === undefined ? [] : [[option.limit, readAmount(key, text, option)]];
  });
  return Object.fromEntries(given);
}

/** At least one of the limits of these options. */
export function requireLimits(
  options: CommandContext['options'],
  known: Readonly<Record<string, CommandOption>>,
): LimitsChange {
  const limits = readLimits(options);
  if (Object.keys(limits).length > 0) return limits;
  throw new UsageError(
    `Give at least one limit: ${Object.keys(known)
      .map((key) => `--${key}`)
      .join(', ')}`,
  );
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

/** The fields of a listing; null where there is no limit. */
export function limitsRow(limits: Limits = {}): Row {
  const fields = Object.values(limitTable).map(({ limit, field, isMoney }) => {
    const amount = limits[limit];
    if (amount === undefined) return [field, null];
    return [field, isMoney ? formatDollars(amount) : amount];
  });
  return Object.fromEntries(fields);
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
