/**
 * The time that drawing may take: less than the request's own, so that an answer of many megabytes, which leaves a
 * function slowly, is not cut off by the function's end.
 */
import type { Call } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors.ts';

/** What is kept for handing over the answer. */
const handingOver = { share: 0.1, mostMs: 60_000 };

/** Runs `work` with a call that ends earlier than the given one. */
export async function withinDrawingTime<Input, Result>(
  call: Call<Input>,
  work: (call: Call<Input>) => Promise<Result>,
): Promise<Result> {
  const reserveMs = Math.min(call.remainingMs() * handingOver.share, handingOver.mostMs);
  const remainingMs = () => Math.max(0, call.remainingMs() - reserveMs);
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
