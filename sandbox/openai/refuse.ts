/** The error answers of the OpenAI protocol. */
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

/** An id that is longer than the field takes. */
export function refuseLongId(id: string, max: number, param: string): void {
  if (id.length <= max) return;
  const message = `Invalid '${param}': string too long. Expected a string with maximum length ${max}, but got a string with length ${id.length} instead.`;
  refuse(message, param, 'string_above_max_length');
}

export function refuseLength(counted: number, limit: number, param: string): never {
  const message = `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${counted} tokens. Please reduce the length of the messages.`;
  refuse(message, param, 'context_length_exceeded');
}

export function refuseMissing(name: string): never {
  refuse(`Missing required parameter: '${name}'.`, name, 'missing_required_parameter');
}

/** A value that is none of those that the field takes. */
export function refuseValue(value: unknown, param: string, allowed: readonly string[]): never {
  const list = allowed.map((one) => `'${one}'`).join(', ');
  refuse(`Invalid value: '${String(value)}'. Supported values are: ${list}.`, param, 'invalid_value');
}

export function refuseUnknown(name: string): never {
  refuse(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');
}
