/** Reads errors of the OpenAI Responses protocol. Bodies and codes are those of the chat protocol; field names differ. */
import type { GatewayError } from '../../core/errors/errors.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import type { UpstreamFailure } from '../../core/generation/original/protocol.ts';
import { upstreamError, withInternalNames, withoutMessageIndex } from '../failure.ts';
import { readFailure as readChatFailure, readReportedFailure } from '../openai-chat/failure.ts';
import type * as wire from './wire.ts';

const internalNames = {
  max_output_tokens: 'max_completion_tokens',
  'reasoning.effort': 'reasoning_effort',
  'reasoning.summary': 'reasoning_summary',
  'text.verbosity': 'verbosity',
  'text.format': 'response_format',
  'text.format.name': 'response_format.json_schema.name',
  'text.format.description': 'response_format.json_schema.description',
  'text.format.schema': 'response_format.json_schema.schema',
  'text.format.strict': 'response_format.json_schema.strict',
};

export function readFailure(failure: UpstreamFailure): GatewayError {
  return inInternalNames(readChatFailure(failure));
}

/** The error of an `error` event, in its flat and its nested form, of a failed response, or of a body. */
export function readError(source: wire.Event): GatewayError {
  const { error, code, message, param } = source;
  const isNested = isJsonObject(error) || typeof error === 'string';
  const reported = readReportedFailure(isNested ? source : { error: { code, message, param } });
  return inInternalNames(reported ?? upstreamError('upstream_failed'));
}

/** One message may be several items of the input. */
function inInternalNames(error: GatewayError): GatewayError {
  return withInternalNames(withoutMessageIndex(error, 'input'), internalNames);
}
