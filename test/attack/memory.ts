/** What another process of this machine uses, where the system reports it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export const megabyte = 1024 * 1024;

const canMeasure = existsSync('/proc/self/clear_refs');

/** The peak in bytes since the last call for this process; 0 where it is not known. */
export function peakOf(pid: number): number {
  if (!canMeasure) return 0;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

/**
 * The bytes that a process has read so far, from files and connections; 0 where it is not known. What an upstream could write is no
 * measure of it: the buffers of the connection hold megabytes, as many as the machine's settings allow.
 */
export function readBy(pid: number): number {
  if (!canMeasure) return 0;
  return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}
