/**
 * What an error of the OpenAI Responses wire means. Its bodies and codes are those of the chat wire; the fields it names
 * are its own, and are told by the names that the house has for them.
 */
import type { GatewayError } from '../../core/errors.ts';
import type { UpstreamFailure } from '../../core/generation/protocol.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { isJsonObject } from '../../core/json-object.ts';
import { upstreamError } from '../failure.ts';
import { readFailure as readChatFailure, readReportedFailure } from '../openai-chat/failure.ts';

/** The first that fits a field stands for it. */
const houseNames: readonly [RegExp, string][] = [
  [/^max_output_tokens$/, 'max_completion_tokens'],
  [/^reasoning\.effort$/, 'reasoning_effort'],
  [/^reasoning\.summary$/, 'reasoning_summary'],
  [/^text\.verbosity$/, 'verbosity'],
  [/^text\.format$/, 'response_format'],
  [/^text\.format\./, 'response_format.json_schema.'],
  // One message may be several items here, so that a place in the input says nothing to the caller.
  [/^input(?:[.[].*)?$/, 'messages'],
];

export function readFailure(failure: UpstreamFailure): GatewayError {
  return inHouseNames(readChatFailure(failure));
}

/** The error of an `error` event, in its flat and its nested form, of a failed response, or of a body. */
export function readError(source: JsonObject): GatewayError {
  const { error, code, message, param } = source;
  const isNested = isJsonObject(error) || typeof error === 'string';
  const reported = readReportedFailure(isNested ? source : { error: { code, message, param } });
  return inHouseNames(reported ?? upstreamError('upstream_failed'));
}

function inHouseNames(error: GatewayError): GatewayError {
  const { param } = error;
  const known = houseNames.find(([pattern]) => param !== null && pattern.test(param));
  return param !== null && known ? error.with({ param: param.replace(...known) }) : error;
}
