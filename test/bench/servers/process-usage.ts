/** What processes have used that cannot be asked, as Linux reports it. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Usage } from './answer-usage.ts';

const pageBytes = 4_096;

/** Of a process and those that it has started. */
export function usageOfTree(pid: number): Usage {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  const all = [pid, ...children.map(Number)].map(usageOfProcess);
  const sum = (field: 'cpu' | 'resident') => all.reduce((total, one) => total + one[field], 0);
  return { cpu: sum('cpu'), held: Number.NaN, resident: sum('resident') };
}

export function usageOfProcess(pid: number): Usage {
  const [, resident] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return { cpu: processorTime(pid), held: Number.NaN, resident: Number(resident) * pageBytes };
}

/** In microseconds, of all threads. `/proc/<pid>/stat` counts in ticks of 10 ms, a tenth of what a round of paced streams takes. */
function processorTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000;
}
