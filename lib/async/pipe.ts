/**
 * A stream on its way through functions. What came together stays together in one list, so that a stage takes one turn for
 * what the network brought, and not one for each event.
 */

/** A stream in lists of what was there at the same time. */
export type Batched<Item> = AsyncIterable<readonly Item[]>;

/** What becomes of a stream. */
export interface Transform<In, Out> {
  /** Adds what becomes of the next piece. What it has added when it throws is delivered before the failure. */
  each(piece: In, out: Out[]): void;
  /** Adds what follows the last piece. */
  end?(out: Out[]): void | Promise<void>;
  /** What the reader is thrown in place of what the source or the stage has thrown. */
  failed?(thrown: unknown): unknown;
  /** Called once, however it ended: also where the reader has left. */
  over?(): void;
}

/** A stream as a stage makes it, for one reader. To leave it is to leave its source, also one that is silent. */
export interface Piped<Item> extends Batched<Item> {
  /** The same with one more stage, in the same turn. Whoever asks for that does not read this one. */
  pipe<Out>(stage: Transform<readonly Item[], Out>): Piped<Out>;
}

export function pipe<In, Out>(source: AsyncIterable<In>, stage: Transform<In, Out>): Piped<Out> {
  let reader: AsyncIterator<readonly Out[]> | undefined;
  return {
    pipe: (next) => pipe(source, compose(stage, next)),
    [Symbol.asyncIterator]() {
      reader ??= read(source, stage);
      return reader;
    },
  };
}

/** Two stages as one. What the first has made when it throws still goes through the second. */
function compose<In, Between, Out>(
  first: Transform<In, Between>,
  second: Transform<readonly Between[], Out>,
): Transform<In, Out> {
  const handOver = (between: readonly Between[], out: Out[]) => {
    if (between.length > 0) second.each(between, out);
  };
  return {
    each(piece, out) {
      const between: Between[] = [];
      try {
        first.each(piece, between);
      } finally {
        handOver(between, out);
      }
    },
    async end(out) {
      const between: Between[] = [];
      try {
        await first.end?.(between);
      } finally {
        handOver(between, out);
      }
      await second.end?.(out);
    },
    failed: (thrown) => asTold(second, asTold(first, thrown)),
    over() {
      first.over?.();
      second.over?.();
    },
  };
}

function asTold<In, Out>(stage: Transform<In, Out>, thrown: unknown): unknown {
  return stage.failed ? stage.failed(thrown) : thrown;
}

function read<In, Out>(source: AsyncIterable<In>, stage: Transform<In, Out>): AsyncIterator<readonly Out[]> {
  const input = source[Symbol.asyncIterator]();
  let isOver = false;
  let failure: { readonly thrown: unknown } | undefined;

  function close(): void {
    if (isOver) return;
    isOver = true;
    stage.over?.();
  }

  function fail(thrown: unknown): never {
    const told = asTold(stage, thrown);
    close();
    throw told;
  }

  return {
    async next() {
      const out: Out[] = [];
      try {
        while (out.length === 0 && !isOver && !failure) {
          const { done, value } = await input.next();
          // The reader may have left meanwhile.
          if (isOver) break;
          if (!done) stage.each(value, out);
          else {
            await stage.end?.(out);
            close();
          }
        }
      } catch (thrown) {
        failure = { thrown };
        await input.return?.();
      }
      if (out.length > 0) return { done: false, value: out };
      if (failure && !isOver) fail(failure.thrown);
      return { done: true, value: undefined };
    },
    async return() {
      close();
      await input.return?.();
      return { done: true, value: undefined };
    },
  };
}
