/** A value that is read from elsewhere and kept. Callers at the same time share one reading. */

export interface Remembered<Value> {
  /** The value, read again when it is old. Rejects if it cannot be read and none is known. */
  get(): Promise<Value>;
  /** The value for one who misses something in it: read again, unless it was just read. */
  renewed(): Promise<Value>;
}

interface RememberOptions {
  readonly now: () => number;
  /** How long a value is used without being read again, in milliseconds. */
  readonly keptMs: number;
  /** The shortest time between two readings, in milliseconds. */
  readonly pauseMs: number;
  /** The same after a failure. Until it has passed, callers get the failure, or the value that is known. */
  readonly failurePauseMs: number;
}

export function remember<Value>(
  read: () => Promise<Value>,
  { now, keptMs, pauseMs, failurePauseMs }: RememberOptions,
): Remembered<Value> {
  let known: { readonly value: Value; readonly at: number } | undefined;
  let failure: { readonly error: unknown; readonly at: number } | undefined;
  let reading: Promise<Value> | undefined;

  const readOnce = async (): Promise<Value> => {
    try {
      const value = await read();
      known = { value, at: now() };
      failure = undefined;
      return value;
    } catch (error) {
      failure = { error, at: now() };
      if (known) return known.value;
      throw error;
    } finally {
      reading = undefined;
    }
  };

  const readUnlessSince = async (ageMs: number): Promise<Value> => {
    if (known && now() - known.at < ageMs) return known.value;
    if (failure && now() - failure.at < failurePauseMs) {
      if (known) return known.value;
      throw failure.error;
    }
    reading ??= readOnce();
    return await reading;
  };

  return { get: () => readUnlessSince(keptMs), renewed: () => readUnlessSince(pauseMs) };
}
