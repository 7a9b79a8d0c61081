/**
 * The daily sums of the ledger: what each tenant used of each model with each key. They stay when the records are gone.
 */

/** What is summed, and the names it is stored under. */
export const countNames = [
  'requests',
  /** Of the requests, those whose answer did not come, or not whole. */
  'failed',
  'promptTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'completionTokens',
  'reasoningTokens',
  'inputImageTokens',
  'outputImageTokens',
  'webSearches',
  /** In nano-dollars, of those whose cost is known. */
  'cost',
  /** Of the requests, those whose cost is not known. */
  'unpriced',
  'normalizations',
] as const;

export type Counts = Readonly<Record<(typeof countNames)[number], number>>;

export interface CounterKey {
  readonly tenant: string;
  /** `YYYY-MM-DD` (UTC), on which the requests came. */
  readonly day: string;
  /** The id of the key. */
  readonly key: string;
  readonly model: string;
}

export interface DailyCounter extends CounterKey {
  readonly counts: Counts;
  /** The Unix second until which the ledger has every record of that day; 0: not known. */
  readonly ledgerUntil: number;
}

/** The day of a time in Unix milliseconds, as `YYYY-MM-DD` (UTC). */
export const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** Counts from whatever holds some of them under their names; the others are 0. */
export function toCounts(source: Readonly<Record<string, unknown>> = {}): Counts {
  const count = (name: string) => {
    const value = source[name];
    return typeof value === 'number' ? value : 0;
  };
  return {
    requests: count('requests'),
    failed: count('failed'),
    promptTokens: count('promptTokens'),
    cachedTokens: count('cachedTokens'),
    cacheWriteTokens: count('cacheWriteTokens'),
    completionTokens: count('completionTokens'),
    reasoningTokens: count('reasoningTokens'),
    inputImageTokens: count('inputImageTokens'),
    outputImageTokens: count('outputImageTokens'),
    webSearches: count('webSearches'),
    cost: count('cost'),
    unpriced: count('unpriced'),
    normalizations: count('normalizations'),
  };
}

export function addCounts(one: Counts, other: Counts): Counts {
  return toCounts(Object.fromEntries(countNames.map((name) => [name, one[name] + other[name]])));
}

export function equalCounts(one: Counts, other: Counts): boolean {
  return countNames.every((name) => one[name] === other[name]);
}
