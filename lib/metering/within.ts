/** Waits for work, but not for ever. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsError } from '../core/ports.ts';

/** `done`, or why it is not: `late`, or the name of the error it rejected with. Late work goes on unheard. */
export async function within(milliseconds: number, work: Promise<unknown> | undefined): Promise<string> {
  const stop = new AbortController();
  const late = sleep(milliseconds, 'late', { signal: stop.signal }).catch(() => 'late');
  const done = (async () => {
    try {
      await work;
      return 'done';
    } catch (error) {
      return nameOf(error);
    }
  })();
  try {
    return await Promise.race([done, late]);
  } finally {
    stop.abort();
  }
}

/** The name of an error, which tells nothing of the request. */
export function nameOf(error: unknown): string {
  if (error instanceof AwsError) return error.type;
  return error instanceof Error ? error.name : 'unknown';
}
