/**
 * When a generated answer is certain: with its first meaningful event no other target is tried any more. This is the only
 * place that knows it.
 */
import type { Piped } from '../async/pipe.ts';
import { GatewayError } from '../core/errors/errors.ts';
import { type GenerationEvent, isMeaningful } from '../core/generation/events.ts';

interface FirstEventLimit {
  /** Undefined: no limit. */
  readonly limitMs: number | undefined;
  /** Ends the events when it is aborted. Absent where there is no limit. */
  readonly ending?: AbortController | undefined;
}

/**
 * Waits for the first meaningful event. Gives the whole answer, from its first event on. Rejects with GatewayError
 * `upstream_timeout` after the limit, `upstream_cut` for an answer without such an event.
 */
export function awaitFirstEvent(
  events: Piped<GenerationEvent>,
  { limitMs, ending }: FirstEventLimit,
): Promise<Piped<GenerationEvent>> {
  return limitMs === undefined || !ending ? readHead(events) : readHeadInTime(events, limitMs, ending);
}

async function readHeadInTime(
  events: Piped<GenerationEvent>,
  limitMs: number,
  ending: AbortController,
): Promise<Piped<GenerationEvent>> {
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

async function readHead(events: Piped<GenerationEvent>): Promise<Piped<GenerationEvent>> {
  const reader = events[Symbol.asyncIterator]();
  const head: (readonly GenerationEvent[])[] = [];
  for (;;) {
    const { done, value } = await reader.next();
    if (done) throw new GatewayError('upstream_cut', 'The provider ended its response without any output.');
    head.push(value);
    if (!value.some(isMeaningful)) continue;
    events.putBack(head);
    return events;
  }
}
