/**
 * The deadline of an answer that is not streamed. JSON cannot begin before it is complete, so the caller's connection is silent
 * until then; and the complete answer must still be sent in time.
 */
import { followSignal } from '../async/follow-signal.ts';
import type { BufferedLimit } from '../core/endpoint.ts';
import { GatewayError } from '../core/errors.ts';
import type { Deadline } from './deadline.ts';

/** API Gateway closes a connection that carries nothing for five minutes. */
export const longestSilenceMs = 285_000;

/** A deadline for making the answer, inside the one of the request. Clear it when the answer is made. */
export function startBufferedDeadline(
  { signal, remainingMs: allMs }: Omit<Deadline, 'clear'>,
  { share, message }: BufferedLimit,
): Deadline {
  const total = allMs();
  const reservedMs = total - Math.min(total * share, longestSilenceMs);
  const remainingMs = () => Math.max(0, allMs() - reservedMs);
  const controller = followSignal(signal);
  const expire = () => controller.abort(new GatewayError('deadline_exceeded', message));
  const timer = setTimeout(expire, remainingMs());
  return { signal: controller.signal, remainingMs, clear: () => clearTimeout(timer) };
}
