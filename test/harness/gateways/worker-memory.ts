/** The memory of the worker of a server. */
import { readFileSync } from 'node:fs';
import type { ServedProcess } from './served-process.ts';

/** The most that it has had, in MB. On Linux only. */
export function highestMemory({ child: { pid } }: ServedProcess): number {
  const [worker] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${worker}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
