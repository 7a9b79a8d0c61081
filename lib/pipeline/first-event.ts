/**
 * When a generated answer is certain: with its first meaningful event no other target is tried any more. This is the only
 * place that knows it.
 */
import type { Batched } from '../async/pipe.ts';
import { GatewayError } from '../core/errors.ts';
import { type GenerationEvent, isMeaningful } from '../core/generation/events.ts';

export interface FirstEventLimit {
  /** Undefined: no limit. */
  readonly limitMs: number | undefined;
  /** Ends the events when it is aborted. Absent where there is no limit. */
  readonly ending?: AbortController | undefined;
}

/**
 * Waits for the first meaningful event. Gives the whole answer, from its first event on. Rejects with GatewayError
 * `upstream_timeout` after the limit, `upstream_cut` for an answer without such an event.
 */
export async function awaitFirstEvent(
  events: Batched<GenerationEvent>,
  { limitMs, ending }: FirstEventLimit,
): Promise<Batched<GenerationEvent>> {
  if (limitMs === undefined || !ending) return await readHead(events);
  let late: GatewayError | undefined;
  const timer = setTimeout(() => {
    late = new GatewayError(
      'upstream_timeout',
      `The provider produced no output within ${limitMs / 1000} s.`,
    );
    ending.abort(late);
  }, limitMs);
  try {
    return await readHead(events);
  } catch (error) {
    throw late && ending.signal.reason === late ? late : error;
  } finally {
    clearTimeout(timer);
  }
}

async function readHead(events: Batched<GenerationEvent>): Promise<Batched<GenerationEvent>> {
  const rest = events[Symbol.asyncIterator]();
  const head: (readonly GenerationEvent[])[] = [];
  for (;;) {
    const { done, value } = await rest.next();
    if (done) throw new GatewayError('upstream_cut', 'The provider ended its response without any output.');
    head.push(value);
    if (value.some(isMeaningful)) return resume(head, rest);
  }
}

/** Passes the rest on unchanged: reading it, or leaving it, reaches the target's own stream. */
function resume(
  head: (readonly GenerationEvent[])[],
  rest: AsyncIterator<readonly GenerationEvent[]>,
): Batched<GenerationEvent> {
  const iterator = {
    next: () => {
      const value = head.shift();
      return value ? Promise.resolve({ done: false as const, value }) : rest.next();
    },
    return: async () => (await rest.return?.()) ?? { done: true as const, value: undefined },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
