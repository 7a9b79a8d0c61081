/** Waits for work until a deadline. */

import { withTimeout } from '../async/with-timeout.ts';
import { type FailureFields, failureFields } from '../core/errors/failure-fields.ts';

/** Resolves with why the work is not done: it failed, or is `late`, and then continues unobserved. Undefined: it is done. */
export async function failureWithin(
  milliseconds: number,
  work: Promise<unknown> | undefined,
): Promise<FailureFields | undefined> {
  const failure = work?.then(() => undefined, failureFields);
  return failure && (await withTimeout(failure, milliseconds, () => ({ reason: 'late' })));
}
