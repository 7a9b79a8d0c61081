/**
 * When a streamed answer is certain: with its first meaningful event it is committed, and no other target is tried any
 * more. This is the only place in the house that knows it.
 */
import { GatewayError } from '../core/errors.ts';
import { type GenerationEvent, isMeaningful } from '../core/events.ts';
import { followSignal } from '../core/follow-signal.ts';

interface Opened {
  readonly events: AsyncIterable<GenerationEvent>;
}

/**
 * Calls a target and reads up to the first meaningful event; gives the whole answer back. What `open` gives must end
 * when the signal is aborted.
 */
export async function committed<Answer extends Opened>(
  open: (signal: AbortSignal) => Promise<Answer>,
  limitMs: number | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  if (limitMs === undefined) return throughHead(await open(signal));
  const limit = followSignal(signal);
  const opened = await open(limit.signal);
  const timer = setTimeout(() => limit.abort(), limitMs);
  try {
    return await throughHead(opened);
  } catch (error) {
    if (!limit.signal.aborted || signal.aborted) throw error;
    throw new GatewayError('upstream_timeout', 'The provider did not answer in time.', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function throughHead<Answer extends Opened>(opened: Answer): Promise<Answer> {
  return { ...opened, events: await begin(opened.events) };
}

/** Waits for the first meaningful event; gives the whole answer, from its first event on. */
export async function begin(events: AsyncIterable<GenerationEvent>): Promise<AsyncIterable<GenerationEvent>> {
  const iterator = events[Symbol.asyncIterator]();
  const head: GenerationEvent[] = [];
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) throw new GatewayError('upstream_cut', 'The provider ended its answer before it began.');
    head.push(value);
    if (isMeaningful(value)) return resume(head, iterator);
  }
}

async function* resume(
  head: readonly GenerationEvent[],
  rest: AsyncIterator<GenerationEvent>,
): AsyncGenerator<GenerationEvent> {
  try {
    yield* head;
    for (;;) {
      const { done, value } = await rest.next();
      if (done) return;
      yield value;
    }
  } finally {
    // Also when the reader leaves early: the upstream exchange must end with it.
    await rest.return?.();
  }
}
