/** Waits for work, but not for ever. */

import { withTimeout } from '../async/with-timeout.ts';
import { AwsError } from '../core/ports.ts';

/** `done`, or why it is not: `late`, or the name of the error it rejected with. Late work goes on unheard. */
export async function within(milliseconds: number, work: Promise<unknown> | undefined): Promise<string> {
  if (work === undefined) return 'done';
  const outcome = work.then(() => 'done', nameOf);
  return await withTimeout(outcome, milliseconds, () => 'late');
}

/** The name of an error, which tells nothing of the request. */
export function nameOf(error: unknown): string {
  if (error instanceof AwsError) return error.type;
  return error instanceof Error ? error.name : 'unknown';
}
