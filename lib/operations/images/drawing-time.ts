/**
 * The time that drawing may take. JSON cannot begin before it is whole, so that the caller's connection is silent all
 * the while; and what was drawn must still be handed over.
 */
import type { Call } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors.ts';

/** API Gateway ends a connection on which nothing came for five minutes. */
const longestSilenceMs = 285_000;

/** Many megabytes leave a function slowly: a part of the time is theirs. */
const drawingShare = 0.9;

/** Runs `work` with a call that ends earlier than the given one. */
export async function withinDrawingTime<Input, Result>(
  call: Call<Input>,
  work: (call: Call<Input>) => Promise<Result>,
): Promise<Result> {
  const allMs = call.remainingMs();
  const keptMs = allMs - Math.min(allMs * drawingShare, longestSilenceMs);
  const remainingMs = () => Math.max(0, call.remainingMs() - keptMs);
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(tooLate()), remainingMs());
  try {
    return await work({ ...call, remainingMs, signal: AbortSignal.any([call.signal, end.signal]) });
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(): GatewayError {
  const message = 'The images were not drawn in the time that one request may take.';
  return new GatewayError('deadline_exceeded', message);
}
