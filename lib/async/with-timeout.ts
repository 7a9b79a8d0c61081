/** Waits for work, but not for ever. Runs several times in each request, so that it makes no more than a timer. */

/** What `work` comes to, or what `late` gives where it takes longer. Late work goes on unheard. */
export async function withTimeout<Result, Late>(
  work: Promise<Result>,
  milliseconds: number,
  late: () => Late | Promise<Late>,
): Promise<Result | Late> {
  const over = Promise.withResolvers<Late>();
  const timer = setTimeout(() => over.resolve(late()), milliseconds);
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}
