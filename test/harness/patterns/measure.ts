/** Measures regular expressions in a thread that is ended when one of them does not. */
import { Worker } from 'node:worker_threads';
import type { Pattern } from './find-patterns.ts';

/** From one text to the next. A linear pattern needs some milliseconds; a busy machine can make seconds of them. */
const patienceMs = 15_000;

interface Report {
  readonly place: string;
  readonly label: string;
  readonly growth?: number;
}

/** A line for each pattern that takes more than linear time on a text. */
export async function slowPatterns(patterns: readonly Pattern[]): Promise<readonly string[]> {
  const slow: string[] = [];
  let rest = patterns;
  while (rest.length > 0) {
    const stuck = await measure(rest, ({ label, growth }) => {
      if (growth !== undefined)
        slow.push(`${growth.toFixed(1)} times as long for 4 times the text: ${label}`);
    });
    if (!stuck) break;
    slow.push(`without end: ${stuck.label}`);
    rest = rest.slice(rest.findIndex(({ place }) => place === stuck.place) + 1);
  }
  return slow;
}

/** Resolves with the report that was followed by no other; undefined when all patterns were measured. */
function measure(
  patterns: readonly Pattern[],
  onReport: (report: Report) => void,
): Promise<Report | undefined> {
  const worker = new Worker(new URL('./measure-worker.ts', import.meta.url), { workerData: patterns });
  return new Promise((resolve, reject) => {
    let last: Report | undefined;
    const onStuck = () => {
      resolve(last);
      void worker.terminate();
    };
    let timer = setTimeout(onStuck, patienceMs);
    worker.on('message', (report: Report) => {
      clearTimeout(timer);
      timer = setTimeout(onStuck, patienceMs);
      last = report;
      onReport(report);
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
  });
}
