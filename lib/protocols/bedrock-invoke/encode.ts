/** The body of InvokeModel for Claude. The model and whether the answer is a stream are in its path. */
import type { OriginalRequest } from '../../core/generation/original/original.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { betasIn } from '../anthropic-messages/betas.ts';

/** The only version. Source: AWS, Bedrock user guide, "Request and Response" of Anthropic Claude. */
const version = 'bedrock-2023-05-31';

/** `body`: of the Messages API. */
export function toBody({ model: _model, stream: _stream, ...body }: JsonObject): JsonObject {
  return { ...body, anthropic_version: version };
}

/** What is in headers elsewhere is in the body here. */
export function encodeOriginal(original: OriginalRequest) {
  const betas = betasIn(original);
  return {
    body: toBody({ ...original.body, ...(betas.length > 0 && { anthropic_beta: betas }) }),
    headers: {},
  };
}
