/** Waits for work up to a timeout. It runs several times in each request, so it creates nothing more than a timer. */

/** The result of `work`, or of `late` after the timeout. Late work continues, and its result is ignored. */
export async function withTimeout<Result, Late>(
  work: Promise<Result>,
  milliseconds: number,
  late: () => Late | Promise<Late>,
): Promise<Result | Late> {
  const timeout = Promise.withResolvers<Late>();
  const timer = setTimeout(() => timeout.resolve(late()), milliseconds);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
