/**
 * The sums that the dashboard shows, beside the daily counters: by hour, by key, by user, by tenant and by deployment. They expire. The aggregator
 * adds them up only where there is a dashboard.
 */
import { dayMs } from '../time.ts';
import { countNames, dayOf } from './counters.ts';
import { type Bucket, isBucket } from './first-byte.ts';

/** Numbers that are added up, by name; an absent one is 0. */
export type Numbers = Readonly<Sum>;

type Sum = { [Name in Counted]?: number } & Record<Bucket | Failure, number>;
type SumName = Counted | Bucket | Failure;
type Counted = (typeof countNames)[number] | (typeof furtherNames)[number];
type Failure = `${typeof failurePrefix}${string}`;

/** The numbers that sums have beside those of `Counts`, the buckets of `first-byte.ts` and the failures. */
const furtherNames = [
  /** The requests of which what follows was counted. */
  'detailed',
  /** Those of them that read something from a cache. */
  'cacheHits',
  /** Calls of a deployment: a request may take several. */
  'attempts',
] as const;

interface Deployment {
  readonly provider: string;
  readonly region: string;
  /** The model's id in the catalog. */
  readonly model: string;
}

/** Days are `YYYY-MM-DD`, hours `YYYY-MM-DDTHH`, months `YYYY-MM`; all of them UTC. */
export type SumKey =
  | {
      readonly of: 'hour';
      readonly tenant: string;
      readonly hour: string;
      readonly key: string;
      readonly model: string;
    }
  | { readonly of: 'key'; readonly month: string; readonly tenant: string; readonly key: string }
  | { readonly of: 'user'; readonly tenant: string; readonly day: string; readonly user: string }
  | { readonly of: 'tenant'; readonly period: string; readonly tenant: string }
  | ({ readonly of: 'deployment'; readonly period: string } & Deployment);

/** The hour of a time in Unix milliseconds, as `YYYY-MM-DDTHH` (UTC). */
export const hourOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 13);

export const monthOf = (milliseconds: number): string => dayOf(milliseconds).slice(0, 7);

/** When a period begins: a day, an hour or a month. In Unix milliseconds. */
export const startOf = (period: string): number =>
  Date.parse(period.length === hourLength ? `${period}:00Z` : period);

const hourLength = 'YYYY-MM-DDTHH'.length;
const dayLength = 'YYYY-MM-DD'.length;

/** How many days the sums of hours are kept. */
export const hourDays = 35;

/** How many days all others are kept. */
export const sumDays = 400;

/** When a sum expires, in Unix seconds: so many days after its period has ended. */
export function sumUntil(key: SumKey): number {
  const period = periodOf(key);
  const isHour = period.length === hourLength;
  const end = startOf(period) + (period.length < dayLength ? 31 : 1) * dayMs;
  return (end + (isHour ? hourDays : sumDays) * dayMs) / 1000;
}

function periodOf(key: SumKey): string {
  switch (key.of) {
    case 'hour':
      return key.hour;
    case 'key':
      return key.month;
    case 'user':
      return key.day;
    default:
      return key.period;
  }
}

/** Before the error code of calls of a deployment that failed. */
export const failurePrefix = 'failed#';

const names: ReadonlySet<string> = new Set([...countNames, ...furtherNames]);

/** Whether a sum has numbers of this name. */
export const isSumName = (name: string): name is SumName =>
  names.has(name) || isBucket(name) || name.startsWith(failurePrefix);

export function addNumbers(one: Numbers, other: Numbers): Numbers {
  const sum = { ...one };
  addTo(sum, other);
  return sum;
}

/** Changes `sum`. */
export function addTo(sum: Sum, numbers: Numbers): void {
  for (const name of Object.keys(numbers) as SumName[]) sum[name] = (sum[name] ?? 0) + (numbers[name] ?? 0);
}
