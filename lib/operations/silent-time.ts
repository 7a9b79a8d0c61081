/**
 * The time that an answer may take which is not streamed. JSON cannot begin before it is whole, so that the caller's
 * connection is silent all the while; and what was made must still be handed over.
 */

import { followSignal } from '../async/follow-signal.ts';
import type { Call } from '../core/endpoint.ts';
import { GatewayError } from '../core/errors.ts';

/** API Gateway ends a connection on which nothing came for five minutes. */
const longestSilenceMs = 285_000;

export interface SilentWork {
  /** The part of the time that making the answer may take; the rest is for handing it over. */
  readonly share: number;
  /** What the caller is told when it is over. */
  readonly tooLate: string;
}

/** Making text, as one body: what takes longer has to be streamed. */
export const generating: SilentWork = {
  share: 1,
  tooLate: "The answer was not complete in the time that one body may take: set 'stream' to true.",
};

/** Runs `work` with a call that ends earlier than the given one. */
export async function withinSilence<Input, Result>(
  call: Call<Input>,
  { share, tooLate }: SilentWork,
  work: (call: Call<Input>) => Promise<Result>,
): Promise<Result> {
  const allMs = call.remainingMs();
  const keptMs = allMs - Math.min(allMs * share, longestSilenceMs);
  const remainingMs = () => Math.max(0, call.remainingMs() - keptMs);
  const end = followSignal(call.signal);
  const timer = setTimeout(() => end.abort(new GatewayError('deadline_exceeded', tooLate)), remainingMs());
  try {
    return await work({ ...call, remainingMs, signal: end.signal });
  } finally {
    clearTimeout(timer);
  }
}
