/**
 * When a streamed answer is certain: with its first meaningful event it is committed, and no other target is tried any
 * more. This is the only place in the house that knows it.
 */

import { followSignal } from '../async/follow-signal.ts';
import type { Batched } from '../async/pipe.ts';
import { GatewayError } from '../core/errors.ts';
import { type GenerationEvent, isMeaningful } from '../core/generation/events.ts';

interface Opened {
  readonly events: Batched<GenerationEvent>;
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
export async function begin(events: Batched<GenerationEvent>): Promise<Batched<GenerationEvent>> {
  const rest = events[Symbol.asyncIterator]();
  const head: (readonly GenerationEvent[])[] = [];
  for (;;) {
    const { done, value } = await rest.next();
    if (done) throw new GatewayError('upstream_cut', 'The provider ended its answer before it began.');
    head.push(value);
    if (value.some(isMeaningful)) return resume(head, rest);
  }
}

/** Passes the rest on as it is: who reads, or leaves, deals with the target itself. */
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
