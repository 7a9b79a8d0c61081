/** The error for each way in which an exchange fails. */
import { GatewayError } from '../../core/errors/errors.ts';

/** The error codes of undici and Node for a request that they refuse to send. */
const unsendable: ReadonlySet<unknown> = new Set(['UND_ERR_INVALID_ARG', 'ERR_INVALID_CHAR']);

export function notSent(error: Error): GatewayError {
  // For example a key with a line break: no other attempt can succeed, and it is not the provider's failure.
  if ('code' in error && unsendable.has(error.code))
    return new GatewayError('internal', 'The request to the provider could not be sent.', { cause: error });
  return unreachable(error);
}

function unreachable(cause: Error): GatewayError {
  return new GatewayError('upstream_unreachable', 'The provider could not be reached.', { cause });
}

export function notConnected(limitMs: number): GatewayError {
  const message = `The gateway could not connect to the provider within ${seconds(limitMs)}.`;
  return new GatewayError('upstream_unreachable', message);
}

export function timedOut(limitMs: number): GatewayError {
  return new GatewayError('upstream_timeout', `The provider did not respond within ${seconds(limitMs)}.`);
}

export function idle(limitMs: number): GatewayError {
  const message = `The provider sent nothing for ${seconds(limitMs)} in the middle of its response.`;
  return new GatewayError('upstream_timeout', message);
}

const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;

export function cut(cause: Error): GatewayError {
  const message = 'The connection to the provider was lost in the middle of its response.';
  return new GatewayError('upstream_cut', message, { cause });
}

export function closedByCaller(): GatewayError {
  return new GatewayError('client_closed', 'The client closed the connection.');
}
