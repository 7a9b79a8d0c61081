/**
 * Claude at Amazon Bedrock in its own protocol: a body of the Messages API in a call of InvokeModel or
 * InvokeModelWithResponseStream. Source: AWS, Bedrock user guide, "Request and Response" of Anthropic Claude.
 */

import type { GatewayError } from '../../core/errors/errors.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { OriginalRequest } from '../../core/generation/original/original.ts';
import type {
  GenerationProtocol,
  TokenCounter,
  UpstreamFailure,
} from '../../core/generation/original/protocol.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { readError, readFailure as readMessagesFailure } from '../anthropic-messages/failure.ts';
import { betasIn } from '../anthropic-messages/original.ts';
import { anthropicMessages } from '../anthropic-messages/protocol.ts';
import { readFailure as readConverseFailure } from '../bedrock-converse/failure.ts';
import { countPath } from '../bedrock-converse/protocol.ts';
import { readCount } from '../counts.ts';
import { asText } from '../json.ts';
import { decodeStream } from './decode.ts';

export const bedrockInvoke: GenerationProtocol = {
  ...anthropicMessages,
  framing: 'event-stream',
  path: (upstreamId, stream) =>
    `/model/${encodeURIComponent(upstreamId)}/${stream ? 'invoke-with-response-stream' : 'invoke'}`,
  encode: (request, target) => toBody(anthropicMessages.encode(request, target)),
  encodeOriginal,
  decodeStream,
  readFailure,
};

/** The only version. */
const version = 'bedrock-2023-05-31';

/** The body without what is in the path: the model, and whether the answer is a stream. */
function toBody({ model: _model, stream: _stream, ...body }: JsonObject): JsonObject {
  return { ...body, anthropic_version: version };
}

/** What is in headers elsewhere is in the body here. */
function encodeOriginal(original: OriginalRequest) {
  const betas = betasIn(original);
  return {
    body: toBody({ ...original.body, ...(betas.length > 0 && { anthropic_beta: betas }) }),
    headers: {},
  };
}

/** Source: AWS, Bedrock API reference, CountTokens and InvokeModelTokensRequest. */
export const invokeCounter: TokenCounter = {
  path: countPath,
  body: ({ anthropic_beta: _betas, context_management: _edits, ...request }) => {
    // The limit is required of a body, and has no effect on the count.
    const body = JSON.stringify(toBody({ max_tokens: 1, ...request }));
    return { input: { invokeModel: { body: Buffer.from(body).toString('base64') } } };
  },
  read: (answer) => readCount(answer, 'inputTokens'),
};

/** What Bedrock sets before the words of the model's own server. */
const wrapper = /^the model returned the following errors: /i;

/**
 * Bedrock's own errors, as those of the Converse API, around the words of the Messages API. Some come in the form of the Messages
 * API itself (anthropics/claude-code issue 49370).
 */
function readFailure(failure: UpstreamFailure): GatewayError {
  const { error } = asObject(parseJson(failure.body));
  if (error !== undefined) return readMessagesFailure(failure);
  const read = readConverseFailure(failure);
  const { kind, upstreamStatus } = read;
  if (kind !== 'upstream_bad_request' || upstreamStatus === undefined) return read;
  const message = messageOf(failure.body);
  return readError({ error: { type: 'invalid_request_error', message } }, { upstreamStatus });
}

/** The words of the model's own server, where an error has them. */
export function messageOf(body: string): string {
  const { message, error } = asObject(parseJson(body));
  return (asText(message) || asText(asObject(error).message)).replace(wrapper, '');
}
