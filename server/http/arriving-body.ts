/** A body that is read as it comes: it may be larger than the memory of the process. */
import type { IncomingMessage } from 'node:http';
import { withTimeout } from '../../lib/async/with-timeout.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';

/** `maxPauseMs`: how long nothing may come. What is not read stays with the client. */
export async function* arrivingBody(
  request: IncomingMessage,
  maxPauseMs: number,
): AsyncGenerator<Uint8Array, void> {
  // Leaving it early does not close the connection: the client gets an answer first.
  const chunks = request.iterator({ destroyOnReturn: false });
  for (;;) {
    const { done, value } = await withTimeout(chunks.next(), maxPauseMs, late).catch(broken);
    if (done) return;
    yield value as Buffer;
  }
}

const late = () =>
  Promise.reject(new GatewayError('deadline_exceeded', 'The request body stopped before its end.'));

const broken = (thrown: unknown) => {
  if (thrown instanceof GatewayError) throw thrown;
  throw new GatewayError('client_closed', 'The client disconnected while it sent.');
};
