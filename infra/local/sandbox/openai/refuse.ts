/**
 * The error answers of the OpenAI wire.
 */
import { Refusal } from '../exchange.ts';

/** Throws an `invalid_request_error`. */
export function refuse(
  message: string,
  param: string | null = null,
  code: string | null = null,
  status = 400,
): never {
  throw new Refusal(status, { error: { message, type: 'invalid_request_error', param, code } });
}

export function refuseParameter(name: string): never {
  refuse(`Unsupported parameter: '${name}' is not supported with this model.`, name, 'unsupported_parameter');
}

export function refuseUnknown(name: string): never {
  refuse(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');
}
