/**
 * Transforms streams. Items that were received together stay together in one list, so that a transform takes one turn of the
 * event loop for each chunk of the network, not for each event.
 */

/** A stream of lists: the items of a list became available at the same time. */
export type Batched<Item> = AsyncIterable<readonly Item[]>;

/** One step of a stream. */
export interface Transform<In, Out> {
  /** Appends the output for one input to `out`. Output appended before it throws is delivered before the error. */
  each(input: In, out: Out[]): void;
  /** Appends the output after the last input. */
  end?(out: Out[]): void | Promise<void>;
  /** Maps an error of the source, or of this transform, to the error that the reader gets. */
  failed?(thrown: unknown): unknown;
  /** Called once at the end, after an error, or when the reader stops early. */
  closed?(): void;
}

/** A transformed stream, for one reader. Stopping early also stops the source, even while it is idle. */
export interface Piped<Item> extends Batched<Item> {
  /** The stream with a further transform, in the same turn. Read the result in place of this stream. */
  pipe<Out>(transform: Transform<readonly Item[], Out>): Piped<Out>;
}

export function pipe<In, Out>(source: AsyncIterable<In>, transform: Transform<In, Out>): Piped<Out> {
  let reader: AsyncIterator<readonly Out[]> | undefined;
  return {
    pipe: (next) => pipe(source, compose(transform, next)),
    [Symbol.asyncIterator]() {
      reader ??= read(source, transform);
      return reader;
    },
  };
}

/** Two transforms as one. What the first has appended when it throws still passes through the second. */
function compose<In, Between, Out>(
  first: Transform<In, Between>,
  second: Transform<readonly Between[], Out>,
): Transform<In, Out> {
  const passOn = (between: readonly Between[], out: Out[]) => {
    if (between.length > 0) second.each(between, out);
  };
  return {
    each(input, out) {
      const between: Between[] = [];
      try {
        first.each(input, between);
      } finally {
        passOn(between, out);
      }
    },
    async end(out) {
      const between: Between[] = [];
      try {
        await first.end?.(between);
      } finally {
        passOn(between, out);
      }
      await second.end?.(out);
    },
    failed: (thrown) => mapError(second, mapError(first, thrown)),
    closed() {
      first.closed?.();
      second.closed?.();
    },
  };
}

function mapError<In, Out>(transform: Transform<In, Out>, thrown: unknown): unknown {
  return transform.failed ? transform.failed(thrown) : thrown;
}

/**
 * Reads the source until there is output. The states: open → closed (end of the source, or the reader stopped), or open →
 * failed (there is an error to deliver after the output) → closed. `closed` is called on the way there.
 */
function read<In, Out>(
  source: AsyncIterable<In>,
  transform: Transform<In, Out>,
): AsyncIterator<readonly Out[]> {
  const input = source[Symbol.asyncIterator]();
  let isClosed = false;
  let failure: { readonly thrown: unknown } | undefined;

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    transform.closed?.();
  }

  function fail(thrown: unknown): never {
    const error = mapError(transform, thrown);
    close();
    throw error;
  }

  return {
    async next() {
      const out: Out[] = [];
      try {
        while (out.length === 0 && !isClosed && !failure) {
          const { done, value } = await input.next();
          // The reader may have stopped meanwhile.
          if (isClosed) break;
          if (!done) transform.each(value, out);
          else {
            await transform.end?.(out);
            close();
          }
        }
      } catch (thrown) {
        failure = { thrown };
        await input.return?.();
      }
      if (out.length > 0) return { done: false, value: out };
      if (failure && !isClosed) fail(failure.thrown);
      return { done: true, value: undefined };
    },
    async return() {
      close();
      await input.return?.();
      return { done: true, value: undefined };
    },
  };
}
