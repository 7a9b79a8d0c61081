/** What a limited scope counts, by the names of the attributes of its pool. */
import type { LimitName, LimitUsage, Wanted } from '../../core/accounting/limits.ts';
import type { Limits } from '../../core/tenancy.ts';
import type { PeriodName } from './periods.ts';

/** The period with which each count starts again; undefined: never. */
export const periodOfCounter = {
  requests: 'minute',
  tokens: 'minute',
  dayCommitted: 'day',
  /** What is held for requests of today that have not been settled, and what is leased to shards. */
  held: 'day',
  /** The part of it that does not count against credit, and how many of these requests count as running. */
  heldNoCredit: 'day',
  heldRunning: 'day',
  /** How many reservations of today the ledger has released. */
  releases: 'day',
  // The same of the days before, from the first of them that held something.
  pastHeld: 'day',
  pastHeldNoCredit: 'day',
  pastHeldRunning: 'day',
  pastReleases: 'day',
  weekCommitted: 'week',
  /** Of the month: the name is from when there were no other budgets. */
  committed: 'month',
  totalCommitted: undefined,
  usedCredit: undefined,
  running: undefined,
} as const satisfies Readonly<Record<string, PeriodName | undefined>>;

export type Counter = keyof typeof periodOfCounter;

/** The counts of today that a new day moves to the past, by the names that they have there. */
export const todayOf = {
  pastHeld: 'held',
  pastHeldNoCredit: 'heldNoCredit',
  pastHeldRunning: 'heldRunning',
  pastReleases: 'releases',
} as const satisfies Readonly<Partial<Record<Counter, Counter>>>;

export type PastCounter = keyof typeof todayOf;

/** What admissions and releases of today change. */
export const heldToday: readonly Counter[] = Object.values(todayOf);

export const isPast = (name: Counter): name is PastCounter => name in todayOf;

export type Counts = Readonly<Record<Counter, number>>;

const names = Object.keys(periodOfCounter) as readonly Counter[];

export const toCounts = (count: (name: Counter) => number): Counts =>
  Object.fromEntries(names.map((name) => [name, count(name)] as const)) as Counts;

export const none: Counts = toCounts(() => 0);

/** Those that are attributes of their own. */
export const counters = names.filter((name): name is Exclude<Counter, PastCounter> => !isPast(name));

/** What one request takes of each kind. */
export interface Need {
  readonly requests: number;
  readonly tokens: number;
  readonly amount: number;
  readonly running: number;
}

export type Unit = keyof Need;

/** The count of each limit. Limits that waiting does not lift come first. */
const limitedCounts = [
  { limit: 'credit', counter: 'usedCredit', unit: 'amount' },
  { limit: 'totalBudget', counter: 'totalCommitted', unit: 'amount' },
  { limit: 'monthlyBudget', counter: 'committed', unit: 'amount' },
  { limit: 'weeklyBudget', counter: 'weekCommitted', unit: 'amount' },
  { limit: 'dailyBudget', counter: 'dayCommitted', unit: 'amount' },
  { limit: 'requestsPerMinute', counter: 'requests', unit: 'requests' },
  { limit: 'tokensPerMinute', counter: 'tokens', unit: 'tokens' },
  { limit: 'concurrentRequests', counter: 'running', unit: 'running' },
] as const satisfies readonly { limit: LimitName; counter: Counter; unit: Unit }[];

/** The limits that are set, in that order. */
export function limitsSet(limits: Limits) {
  return limitedCounts.flatMap((one) => {
    const max = limits[one.limit];
    return max === undefined ? [] : [{ ...one, max }];
  });
}

/** The counts that a need adds to. */
export const countsOf = ({ requests, tokens, amount, running }: Need, isPrepaid: boolean): Counts => ({
  ...none,
  requests,
  tokens,
  dayCommitted: amount,
  held: amount,
  heldNoCredit: isPrepaid ? 0 : amount,
  heldRunning: running,
  weekCommitted: amount,
  committed: amount,
  totalCommitted: amount,
  usedCredit: isPrepaid ? amount : 0,
  running,
});

/** The need of a request with this many tokens of output. */
export function needOf(
  { fixed, perOutputToken, isFurther }: Wanted,
  output: number,
  isRunning: boolean,
): Need {
  return {
    requests: isFurther ? 0 : 1,
    tokens: Math.ceil(fixed.tokens + perOutputToken.tokens * output),
    amount: Math.ceil(fixed.amount + perOutputToken.amount * output),
    running: isRunning && !isFurther ? 1 : 0,
  };
}

export const toLimitUsage = (counts: Counts, minute: number): LimitUsage => ({
  requests: counts.requests,
  tokens: counts.tokens,
  minuteEnds: (minute + 1) * 60_000,
  dayCommitted: counts.dayCommitted,
  weekCommitted: counts.weekCommitted,
  committed: counts.committed,
  totalCommitted: counts.totalCommitted,
  usedCredit: counts.usedCredit,
  running: counts.running,
  held: Math.max(0, counts.held),
});
