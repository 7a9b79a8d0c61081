/** What a load must show: nothing failed, memory stayed as it was, and the event loop was in time. */
import type { Load } from '../measured.ts';
import type { Metrics } from '../servers/served.ts';

export interface Sample extends Metrics {
  /** Since the begin of the load. */
  readonly atMs: number;
}

/** All streams run, and have been renewed, after two minutes; in a shorter run, after a quarter of it. */
const warmMs = 2 * 60_000;

/** The server collects its garbage a few times in each such window: the least in it is what it holds. */
const windowMs = 30_000;

/** What memory may drift without growing. */
const drift = 1.1;

/** That 99 of 100 turns of the event loop may be late, in milliseconds. */
export const maxDelay = 20;

type Figures = Pick<Load, 'heapWarm' | 'heapEnd' | 'residentWarm' | 'residentEnd' | 'delay' | 'refused'>;

export function readSamples(samples: readonly Sample[]): Figures {
  const lastMs = samples.at(-1)?.atMs ?? 0;
  const from = Math.min(warmMs, lastMs / 4);
  const warm = samples.filter(({ atMs }) => atMs >= from && atMs < from + windowMs);
  const end = samples.filter(({ atMs }) => atMs > lastMs - windowMs);
  const least = (of: readonly Sample[], figure: 'heap' | 'resident') =>
    Math.min(...of.map((one) => one[figure])) / 1024 / 1024;
  return {
    heapWarm: least(warm, 'heap'),
    heapEnd: least(end, 'heap'),
    residentWarm: least(warm, 'resident'),
    residentEnd: least(end, 'resident'),
    delay: Math.max(...samples.filter(({ atMs }) => atMs >= from).map(({ delay }) => delay)),
    refused: samples.at(-1)?.refused ?? 0,
  };
}

/** In words; none: all hold. */
export function brokenBounds(load: Load): readonly string[] {
  const { failed, refused, heapWarm, heapEnd, residentWarm, residentEnd, delay } = load;
  return [
    ...(failed > 0 ? [`${failed} answers failed`] : []),
    ...(refused > 0 ? [`${refused} requests were refused`] : []),
    ...(heapEnd > heapWarm * drift ? ['the heap grew'] : []),
    ...(residentEnd > residentWarm * drift ? ['the process grew'] : []),
    ...(delay < maxDelay ? [] : [`the event loop was ${maxDelay} ms late, or more`]),
  ];
}
