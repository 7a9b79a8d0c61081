/** What a load must show: nothing failed, memory stayed as it was, and first tokens and the event loop were in time. */
import type { Load } from '../measured.ts';
import type { Metrics } from '../servers/served.ts';
import { quantile } from '../statistics.ts';

export interface Sample extends Metrics {
  /** Since the begin of the load. */
  readonly atMs: number;
}

export interface FirstToken {
  /** When its request began, since the begin of the load. */
  readonly atMs: number;
  /** Milliseconds until it came. */
  readonly first: number;
}

/** All streams run, and have been renewed, after two minutes; in a shorter run, after a quarter of it. */
const warmMs = 2 * 60_000;

/** There are two or three samples in each such window: the least of them is what the server holds. */
const windowMs = 70_000;

/** What memory may drift without growing. */
const drift = 1.1;

/** That 99 of 100 turns of the event loop may be late without an attack, in milliseconds. */
const maxDelay = 20;

/** Of 99 of 100 first tokens without an attack, in milliseconds. */
const maxFirstToken = 1_000;

/** How many times as late they may be beside an attack. */
const maxSlowdown = 3;

type Figures = Pick<Load, 'heapWarm' | 'heapEnd' | 'residentWarm' | 'residentEnd' | 'delay' | 'refused'>;

/** The delay is that before the attack. */
export function readSamples(samples: readonly Sample[], attackFromMs: number): Figures {
  const lastMs = samples.at(-1)?.atMs ?? 0;
  const from = Math.min(warmMs, lastMs / 4);
  const warm = samples.filter(({ atMs }) => atMs >= from && atMs < from + windowMs);
  const end = samples.filter(({ atMs }) => atMs > lastMs - windowMs);
  const least = (of: readonly Sample[], figure: 'heap' | 'resident') =>
    Math.min(...of.map((one) => one[figure])) / 1024 / 1024;
  const calm = samples.filter(({ atMs }) => atMs >= from && atMs < attackFromMs);
  return {
    heapWarm: least(warm, 'heap'),
    heapEnd: least(end, 'heap'),
    residentWarm: least(warm, 'resident'),
    residentEnd: least(end, 'resident'),
    delay: Math.max(...calm.map(({ delay }) => delay)),
    refused: samples.at(-1)?.refused ?? 0,
  };
}

export function readFirstTokens(
  firstTokens: readonly FirstToken[],
  { rampMs, attackFromMs }: { readonly rampMs: number; readonly attackFromMs: number },
): Pick<Load, 'firstInRamp' | 'first' | 'firstBesideAttack'> {
  const between = (from: number, to: number) =>
    quantile(
      firstTokens.filter(({ atMs }) => atMs >= from && atMs < to).map(({ first }) => first),
      0.99,
    );
  return {
    firstInRamp: between(0, rampMs),
    first: between(rampMs, attackFromMs),
    firstBesideAttack: between(attackFromMs, Number.POSITIVE_INFINITY),
  };
}

/** In words; none: all hold. */
export function brokenBounds(load: Load): readonly string[] {
  const { failed, refused, heapWarm, heapEnd, residentWarm, residentEnd, delay } = load;
  const { firstInRamp, first, firstBesideAttack } = load;
  return [
    ...(failed > 0 ? [`${failed} answers failed`] : []),
    ...(refused > 0 ? [`${refused} requests were refused`] : []),
    ...(heapEnd > heapWarm * drift ? ['the heap grew'] : []),
    ...(residentEnd > residentWarm * drift ? ['the process grew'] : []),
    ...(delay < maxDelay ? [] : [`the event loop was ${maxDelay} ms late, or more`]),
    ...(Math.max(firstInRamp, first) < maxFirstToken ? [] : ['first tokens took a second, or more']),
    ...(firstBesideAttack <= maxSlowdown * first ? [] : ['an attack made first tokens three times as late']),
  ];
}
