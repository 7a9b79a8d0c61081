/** Waits for work up to a timeout. It runs several times in each request, so it creates little more than a timer. */

import { startTimeout, stopTimeout } from './timeout.ts';

/** The result of `work`, or of `late` after the timeout. Late work continues, and its result is ignored. */
export const withTimeout = <Result, Late>(
  work: Promise<Result>,
  milliseconds: number,
  late: () => Late | Promise<Late>,
): Promise<Result | Late> =>
  new Promise((resolve, reject) => {
    const timeout = startTimeout(() => resolve(late()), milliseconds);
    work.then(
      (result) => {
        stopTimeout(timeout);
        resolve(result);
      },
      (error: unknown) => {
        stopTimeout(timeout);
        reject(error);
      },
    );
  });
