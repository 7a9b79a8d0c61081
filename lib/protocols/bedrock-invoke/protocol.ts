/**
 * Claude at Amazon Bedrock in its own protocol: a body of the Messages API in a call of InvokeModel or
 * InvokeModelWithResponseStream. Source: AWS, Bedrock user guide, "Request and Response" of Anthropic Claude.
 */

import type { GatewayError } from '../../core/errors/errors.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { OriginalRequest } from '../../core/generation/original/original.ts';
import type {
  AnswerFormat,
  Frame,
  GenerationProtocol,
  StreamDecoder,
  TokenCounter,
  UpstreamFailure,
} from '../../core/generation/original/protocol.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { readError, readFailure as readMessagesFailure } from '../anthropic-messages/failure.ts';
import { betasIn } from '../anthropic-messages/original.ts';
import { anthropicMessages } from '../anthropic-messages/protocol.ts';
import { readFailure as readConverseFailure, readException } from '../bedrock-converse/failure.ts';
import { countPath } from '../bedrock-converse/protocol.ts';
import { readCount } from '../counts.ts';
import { upstreamError } from '../failure.ts';
import { asCount, asText } from '../json.ts';

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
  // The limit is required of a body, and has no effect on the count.
  body: ({ anthropic_beta: _betas, context_management: _edits, ...request }) =>
    toBody({ max_tokens: 1, ...request }),
  inBase64: (body) => ({ input: { invokeModel: { body } } }),
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

/**
 * Converts streams of InvokeModelWithResponseStream to events: each message of the event stream holds one event of the
 * Messages API. Source: AWS, Bedrock API reference, ResponseStream and PayloadPart.
 *
 * @throws GatewayError as the decoder of the Messages API, and for an exception in the stream.
 */
function decodeStream(form?: AnswerFormat): StreamDecoder {
  const decoder = anthropicMessages.decodeStream(form);
  return {
    ...decoder,
    onFrame(frame) {
      const { data, counts } = unwrap(frame);
      const events = decoder.onFrame({ event: '', data });
      return counts ? events.map((event) => withCacheCounts(event, counts)) : events;
    },
  };
}

/** Counts and times of Bedrock's own, beside the last event. */
const metrics = 'amazon-bedrock-invocationMetrics';

/** The event, without those counts. */
function unwrap(frame: Frame): { readonly data: string; readonly counts?: JsonObject } {
  if (frame.exception) throw readException(frame);
  const { bytes } = asObject(parseJson(frame.data));
  if (typeof bytes !== 'string') throw upstreamError('upstream_invalid_answer');
  const data = Buffer.from(bytes, 'base64').toString();
  if (!data.includes(metrics)) return { data };
  const { [metrics]: counts, ...event } = asObject(parseJson(data));
  if (event.type !== 'message_stop' || counts === undefined) return { data };
  return { data: JSON.stringify(event), counts: asObject(counts) };
}

/**
 * Some streams count what the cache held only here. Source: LiteLLM's AmazonAnthropicClaudeMessagesStreamDecoder, which takes
 * these counts as those of the answer.
 */
function withCacheCounts(event: GenerationEvent, counts: JsonObject): GenerationEvent {
  if (event.type !== 'usage' || event.usage.cachedTokens > 0 || event.usage.cacheWriteTokens > 0)
    return event;
  const cachedTokens = asCount(counts.cacheReadInputTokenCount);
  const cacheWriteTokens = asCount(counts.cacheWriteInputTokenCount);
  if (cachedTokens + cacheWriteTokens === 0) return event;
  const promptTokens = event.usage.promptTokens + cachedTokens + cacheWriteTokens;
  return {
    ...event,
    usage: { ...event.usage, promptTokens, cachedTokens, cacheWriteTokens },
    raw: { ...event.raw, [metrics]: counts },
  };
}
