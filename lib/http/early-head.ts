/**
 * The head of a stream whose first event takes long. What is between the gateway and its callers cuts a connection on which nothing
 * comes, API Gateway after five minutes: so the head and heartbeats go out before the answer. Until then, a failure has a status of
 * its own; behind the head it is an event. Retries and fallbacks go on behind it, as the caller has seen nothing of an answer.
 */
import type { Answer, PublicEvent, StreamAnswer, StreamFrame } from '../core/endpoint.ts';
import type { GatewayError } from '../core/errors/errors.ts';

/** The longest time to the head of a stream. */
export const maxHeadMs = 60_000;

export interface EarlyHead {
  /** No target is left but the one that is asked: the head waits for one period of the heartbeat from now on. */
  onLastTarget(): void;
  /** The answer, or a stream without events that becomes it. Rejects as the answer does, until its head is sent. */
  sendFor(answer: Promise<Answer>): Promise<Answer>;
}

/** `signal`: aborted where the caller has left, who gets no head: the answer ends when nothing is read on for its counts. */
export function startEarlyHead(frame: StreamFrame, heartbeatMs: number, signal: AbortSignal): EarlyHead {
  const due = Promise.withResolvers<'due'>();
  const after = (ms: number) => setTimeout(() => due.resolve('due'), ms);
  let timer = after(maxHeadMs);
  let isLast = false;
  return {
    onLastTarget() {
      if (isLast) return;
      isLast = true;
      clearTimeout(timer);
      timer = after(Math.min(heartbeatMs, maxHeadMs));
    },
    async sendFor(answer) {
      try {
        const first = await Promise.race([answer, due.promise]);
        if (first !== 'due') return first;
        return signal.aborted ? await answer : streamOf(answer, frame);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function streamOf(answer: Promise<Answer>, frame: StreamFrame): StreamAnswer {
  let stream: StreamFrame = frame;
  // Where the caller leaves at once, nothing reads the events.
  answer.catch(() => {});
  async function* events(): AsyncGenerator<readonly PublicEvent[]> {
    const answered = await answer;
    if (answered.type !== 'stream') throw new Error('An answer to a streamed request is no stream.');
    stream = answered;
    yield* answered.events;
  }
  const onError = (error: GatewayError) => stream.onError(error);
  return { type: 'stream', ...frame, events: events(), onError };
}
