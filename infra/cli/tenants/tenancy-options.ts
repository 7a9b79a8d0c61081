/** Limits and permissions as an operator types and reads them: money in US dollars, lists with commas. */
import { formatDollars, parseDollars } from '../../../lib/core/accounting/money.ts';
import { operations } from '../../../lib/core/operations.ts';
import { isModelPattern, isOperationName, type Limits } from '../../../lib/core/tenancy.ts';
import type { Tenancy, TenancyChange } from '../../../lib/stores/access/tenancy-fields.ts';
import { type CommandContext, type CommandOption, UsageError } from '../command.ts';
import type { Row } from '../output/listing.ts';

type Options = CommandContext['options'];

interface LimitOption extends CommandOption {
  readonly limit: keyof Limits;
  /** The field of a listing. */
  readonly field: string;
  readonly isMoney: boolean;
  readonly unit: string;
}

const count = { value: '<number>', isMoney: false };
const money = { value: '<USD>', isMoney: true };

const limitTable: Readonly<Record<string, LimitOption>> = {
  requests: {
    ...count,
    limit: 'requestsPerMinute',
    field: 'requests_per_minute',
    unit: 'requests a minute',
    description: 'Requests a minute',
  },
  tokens: {
    ...count,
    limit: 'tokensPerMinute',
    field: 'tokens_per_minute',
    unit: 'tokens a minute',
    description: 'Tokens a minute, input and output together',
  },
  concurrent: {
    ...count,
    limit: 'concurrentRequests',
    field: 'concurrent_requests',
    unit: 'requests at a time',
    description: 'Requests at the same time',
  },
  budget: {
    ...money,
    limit: 'monthlyBudget',
    field: 'monthly_budget_usd',
    unit: 'USD a month',
    description: 'What may be spent in a calendar month (UTC)',
  },
  credit: {
    ...money,
    limit: 'credit',
    field: 'credit_usd',
    unit: 'USD in advance',
    description: 'All that was ever paid in advance; what was used while there was credit is taken from it',
  },
};

export const limitOptions: Readonly<Record<string, CommandOption>> = limitTable;

const modelsHint =
  "Ids with commas between them; 'openai/*' is all of an owner's, and all takes the limit away";

export const permissionOptions: Readonly<Record<'models' | 'operations', CommandOption>> = {
  models: { value: '<list>', description: `The only models that may be used. ${modelsHint}` },
  operations: { value: '<list>', description: `The only operations that may be used, or all` },
};

/** Null for what was typed as none; empty where nothing was. Throws UsageError for what is no such amount. */
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
    const form = 'an amount in USD like 50 or 0.25, with nine decimals at most, below 9 million';
    throw new UsageError(`--${key} is ${form}, or none. It was: ${text}`);
  }
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && Number.isSafeInteger(number)) return number;
  throw new UsageError(`--${key} is a whole number from 1 on, or none. It was: ${text}`);
}

/** Null for all of them. */
export function readModels(text: string): readonly string[] | null {
  return readList(text, (entry) => {
    if (isModelPattern(entry)) return entry;
    throw new UsageError(
      `${entry} is neither the id of a model (owner/model) nor all of an owner's (owner/*).`,
    );
  });
}

/** Null for all of them. */
export function readOperations(text: string): TenancyChange['operations'] {
  return readList(text, (entry) => {
    if (isOperationName(entry)) return entry;
    const names = operations.map(({ name }) => name).join(', ');
    throw new UsageError(`There is no operation ${entry}. The operations are: ${names}`);
  });
}

function readList<Entry>(text: string, read: (entry: string) => Entry): readonly Entry[] | null {
  if (text === 'all') return null;
  return [...new Set(text.split(',').map((entry) => read(entry.trim())))];
}

/** What a new key or tenant is made with. */
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

/** The fields of a listing; null where nothing is limited. */
export function tenancyRow({ limits = {}, models, operations: allowed }: Tenancy): Row {
  const fields = Object.values(limitTable).map(({ limit, field, isMoney }) => {
    const amount = limits[limit];
    if (amount === undefined) return [field, null];
    return [field, isMoney ? formatDollars(amount) : amount];
  });
  return { ...Object.fromEntries(fields), models: models ?? null, operations: allowed ?? null };
}

/** For people, in one line. */
export function describeLimits(limits: Limits = {}): string {
  const parts = Object.values(limitTable).flatMap(({ limit, unit, isMoney }) => {
    const amount = limits[limit];
    if (amount === undefined) return [];
    return [`${isMoney ? formatDollars(amount) : amount} ${unit}`];
  });
  return parts.join(', ') || 'no limits';
}
