/** Errors of Voyage: it returns 400 for an unknown model too. */
import type { GatewayError } from '../../core/errors/errors.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { UpstreamFailure } from '../../core/generation/original/protocol.ts';
import { upstreamError } from '../failure.ts';
import { asText } from '../json.ts';
import { readFailure } from '../openai-chat/failure.ts';
import { beginsWith } from '../own-words.ts';

/** The names of models come from the catalog. */
const noModel = /^model \S{1,200} is not supported/i;
const tooLong =
  /^(?:request to model \S{1,200} failed\. )?(?:[\w ,.()-]|'s\b){0,80}\b(?:max allowed tokens|maximum (?:context|input|sequence) length)/i;

export function readVoyageFailure(failure: UpstreamFailure): GatewayError {
  const detail = asText(asObject(parseJson(failure.body)).detail);
  if (failure.status === 400 && beginsWith(detail, noModel)) {
    return upstreamError('upstream_model_missing', { upstreamStatus: 400 });
  }
  if (failure.status === 400 && beginsWith(detail, tooLong)) {
    return upstreamError('upstream_context_length', { providerMessage: detail, upstreamStatus: 400 });
  }
  return readFailure(failure);
}
