/** Measures how the time of regular expressions grows with the length of hostile texts. Runs in a thread, so that it can be ended. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Pattern } from './find-patterns.ts';
import { type HostileText, hostileTexts, textOf } from './hostile-texts.ts';

/** Lengths in characters. The shorter ones are there to stop early, before a text takes hours. */
const lengths = [1_024, 4_096, 16_384, 65_536];
const earlyLength = 4_096;

/**
 * How much longer a text may take than one of a quarter of its length: linear is 4, quadratic 16, cubic 64. A pattern with a
 * bound may be quadratic up to it.
 */
const maxGrowth = 9;
const maxEarlyGrowth = 30;

/** Shorter times say nothing. In milliseconds. */
const leastMs = 2;

/** What a system counts the time of a thread in may be 10 ms: so much is measured together. In milliseconds. */
const measuredMs = 30;
const maxRuns = 20_000;

/** How often a text is measured by the clock before it is by the time of the thread. */
const tries = 4;

function run(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  if (pattern.global) text.replace(pattern, '');
  else pattern.exec(text);
}

/** By the clock, in milliseconds, the least of several: cheap, and on a busy machine too long. */
function clockTime(pattern: RegExp, text: string, times = 1): number {
  const measured = Array.from({ length: times }, () => {
    const started = performance.now();
    run(pattern, text);
    return performance.now() - started;
  });
  return Math.min(...measured);
}

/** Of this thread, in milliseconds, for one run. */
function cpuTime(pattern: RegExp, text: string): number {
  const started = process.threadCpuUsage();
  for (let runs = 1; ; runs++) {
    run(pattern, text);
    const { user, system } = process.threadCpuUsage(started);
    const spent = (user + system) / 1000;
    if (spent >= measuredMs || runs === maxRuns) return spent / runs;
  }
}

/** How much longer a text takes than one of a quarter of its length, where that is too much. */
function growthOf(pattern: RegExp, hostile: HostileText): number | undefined {
  for (const length of lengths) {
    const long = textOf(hostile, length);
    if (clockTime(pattern, long) < leastMs) continue;
    const short = textOf(hostile, length / 4);
    const limit = length > earlyLength ? maxGrowth : maxEarlyGrowth;
    const most = limit * clockTime(pattern, short, tries);
    if (Array.from({ length: tries }).some(() => clockTime(pattern, long) <= most)) continue;
    const growth = cpuTime(pattern, long) / cpuTime(pattern, short);
    if (growth > limit) return growth;
  }
  return undefined;
}

for (const { place, source, flags } of workerData as readonly Pattern[]) {
  const pattern = new RegExp(source, flags);
  for (const hostile of hostileTexts(source, flags)) {
    const label = `/${source}/${flags} at ${place}, on ${JSON.stringify(hostile)}`;
    parentPort?.postMessage({ place, label });
    const growth = growthOf(pattern, hostile);
    if (growth === undefined) continue;
    parentPort?.postMessage({ place, label, growth });
    break;
  }
}
