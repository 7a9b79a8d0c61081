/**
 * A stream on its way through functions. What came together stays together in one list, so that a stage takes one turn for
 * what the network brought, and not one for each event.
 */

/** A stream in lists of what was there at the same time. */
export type Lists<Item> = AsyncIterable<readonly Item[]>;

/** What becomes of a stream. */
export interface Stage<In, Out> {
  /** Adds what becomes of the next piece. What it has added when it throws is delivered before the failure. */
  each(piece: In, out: Out[]): void;
  /** Adds what follows the last piece. */
  end?(out: Out[]): void | Promise<void>;
  /** What the reader is thrown in place of what the source or the stage has thrown. */
  failed?(thrown: unknown): unknown;
  /** Called once, however it ended: also where the reader has left. */
  over?(): void;
}

/** The stream as the stage makes it, for one reader. To leave it is to leave its source, also one that is silent. */
export function through<In, Out>(source: AsyncIterable<In>, stage: Stage<In, Out>): Lists<Out> {
  const input = source[Symbol.asyncIterator]();
  let isOver = false;
  let failure: { readonly thrown: unknown } | undefined;

  function close(): void {
    if (isOver) return;
    isOver = true;
    stage.over?.();
  }

  function fail(thrown: unknown): never {
    const told = stage.failed ? stage.failed(thrown) : thrown;
    close();
    throw told;
  }

  const iterator: AsyncIterator<readonly Out[], undefined> = {
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
  return { [Symbol.asyncIterator]: () => iterator };
}
