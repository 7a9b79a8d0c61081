/** Waits for work until a deadline. */

import { withTimeout } from '../async/with-timeout.ts';
import { AwsError } from '../core/ports/aws.ts';

/** Returns `done`, `late`, or the name of the error that the work rejected with. Late work continues unobserved. */
export async function outcomeWithin(
  milliseconds: number,
  work: Promise<unknown> | undefined,
): Promise<string> {
  if (work === undefined) return 'done';
  const outcome = work.then(() => 'done', nameOf);
  return await withTimeout(outcome, milliseconds, () => 'late');
}

/** The name of an error, which is safe to log: it holds nothing of the request. */
export function nameOf(error: unknown): string {
  if (error instanceof AwsError) return error.type;
  return error instanceof Error ? error.name : 'unknown';
}
