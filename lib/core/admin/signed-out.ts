/** The error for one who is not signed in, or not any more. */
import { GatewayError } from '../errors/errors.ts';

export const signedOut = (message: string, cause?: unknown): GatewayError =>
  new GatewayError('invalid_api_key', message, { code: 'signed_out', cause });
