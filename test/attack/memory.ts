/** The peak memory of another process of this machine, where the system reports it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export const megabyte = 1024 * 1024;

export const canMeasure = existsSync('/proc/self/clear_refs');

/** The peak in bytes since the last call for this process; 0 where it is not known. */
export function peakOf(pid: number): number {
  if (!canMeasure) return 0;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024;
}
