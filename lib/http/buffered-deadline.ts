/**
 * The deadline of an answer that is not streamed. JSON cannot begin before it is complete, so the caller's connection is idle
 * until then; and the complete answer must still be sent in time.
 */
import type { BufferedLimit } from '../core/endpoint.ts';
import { GatewayError } from '../core/errors/errors.ts';
import { type Deadline, timerMs } from './deadline.ts';

/** API Gateway closes a connection that carries nothing for five minutes. */
const maxIdleMs = 285_000;

export type BufferedDeadline = Pick<Deadline, 'remainingMs' | 'clear'>;

/** A deadline for making the answer: it ends the request itself. Clear it when the answer is made. */
export function startBufferedDeadline(
  { remainingMs: allMs, abort }: Pick<Deadline, 'remainingMs' | 'abort'>,
  { share, message }: BufferedLimit,
): BufferedDeadline {
  const total = allMs();
  const reservedMs = total - Math.min(total * share, maxIdleMs);
  const remainingMs = () => Math.max(0, allMs() - reservedMs);
  const expire = () => abort(new GatewayError('deadline_exceeded', message));
  const timer = setTimeout(expire, timerMs(remainingMs()));
  return { remainingMs, clear: () => clearTimeout(timer) };
}
