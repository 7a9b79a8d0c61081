/** The daily counters of the ledger, by tenant, key and model. They are kept after the records have expired. */

/** The names of the counts, also in the table. */
export const countNames = [
  'requests',
  /** The requests without a complete answer. */
  'failed',
  'promptTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'completionTokens',
  'reasoningTokens',
  'inputImageTokens',
  'outputImageTokens',
  'webSearches',
  'searchUnits',
  'inputImages',
  'characters',
  'audioMs',
  /** In nano-dollars, of the requests with a known cost. */
  'cost',
  /** The requests without a known cost. */
  'unpriced',
  /** What the tenant is charged, in nano-dollars, of the requests with a known charge. */
  'charge',
  /** The requests without a known charge. */
  'uncharged',
  'normalizations',
  /** The requests whose charge is known and rests on an estimate. */
  'estimated',
  /** What the tenant is charged for these, in nano-dollars. */
  'estimatedCharge',
  /** What calls with the tenant's own credentials take of the tenant, in nano-dollars, as far as it is known. */
  'listCost',
] as const;

export type Counts = Readonly<Record<(typeof countNames)[number], number>>;

export interface CounterKey {
  readonly tenant: string;
  /** The day of the requests, `YYYY-MM-DD` (UTC). */
  readonly day: string;
  /** The id of the key. */
  readonly key: string;
  readonly model: string;
}

export interface DailyCounter extends CounterKey {
  readonly counts: Counts;
  /** Until this Unix second the ledger has every record of that day; 0: unknown. */
  readonly ledgerUntil: number;
}

/** The day of a time in Unix milliseconds, as `YYYY-MM-DD` (UTC). */
export const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** Counts from an object with some of them; missing counts are 0. */
export function toCounts(source: Readonly<Record<string, unknown>> = {}): Counts {
  return countsBy((name) => {
    const value = source[name];
    return typeof value === 'number' ? value : 0;
  });
}

export const addCounts = (one: Counts, other: Counts): Counts => countsBy((name) => one[name] + other[name]);

const countsBy = (count: (name: keyof Counts) => number): Counts =>
  Object.fromEntries(countNames.map((name) => [name, count(name)])) as Counts;

/** Sums of before there were these counts lack them, and are not wrong for that. */
const laterNames: readonly string[] = ['estimated', 'estimatedCharge', 'listCost'];

export function equalCounts(one: Counts, other: Counts): boolean {
  return countNames.every((name) => one[name] === other[name] || laterNames.includes(name));
}
