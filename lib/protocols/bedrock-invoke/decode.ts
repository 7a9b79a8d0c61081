/**
 * Converts streams of InvokeModelWithResponseStream to events: each message of the event stream holds one event of the
 * Messages API. Source: AWS, Bedrock API reference, ResponseStream and PayloadPart.
 */

import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { AnswerFormat, Frame, StreamDecoder } from '../../core/generation/original/protocol.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { anthropicMessages } from '../anthropic-messages/protocol.ts';
import { readException } from '../bedrock-converse/failure.ts';
import { upstreamError } from '../failure.ts';
import { asCount } from '../json.ts';

/** @throws GatewayError as the decoder of the Messages API, and for an exception in the stream. */
export function decodeStream(form?: AnswerFormat): StreamDecoder {
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
