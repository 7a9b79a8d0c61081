/**
 * Converts streams of InvokeModelWithResponseStream to events: each message of the event stream holds one event of the
 * Messages API. Source: AWS, Bedrock API reference, ResponseStream and PayloadPart.
 */
import type { AnswerForm, Frame, StreamDecoder } from '../../core/generation/protocol.ts';
import { parseJson } from '../../core/parse-json.ts';
import { anthropicMessages } from '../anthropic-messages/protocol.ts';
import { readException } from '../bedrock-converse/failure.ts';
import { upstreamError } from '../failure.ts';
import { asObject, asText } from '../json.ts';

/** @throws GatewayError as the decoder of the Messages API, and for an exception in the stream. */
export function decodeStream(form?: AnswerForm): StreamDecoder {
  const decoder = anthropicMessages.decodeStream(form);
  return { ...decoder, onFrame: (frame) => decoder.onFrame(toMessagesFrame(frame)) };
}

function toMessagesFrame(frame: Frame): Frame {
  if (frame.exception) throw readException(frame);
  const { bytes } = asObject(parseJson(frame.data));
  if (typeof bytes !== 'string') throw upstreamError('upstream_invalid_answer');
  const data = Buffer.from(bytes, 'base64').toString();
  return { event: '', data: data.includes(metrics) ? withoutMetrics(data) : data };
}

/** Counts and times of Bedrock's own, beside the last event. They repeat what the usage says. */
const metrics = 'amazon-bedrock-invocationMetrics';

function withoutMetrics(data: string): string {
  const { [metrics]: _, ...event } = asObject(parseJson(data));
  return asText(event.type) === 'message_stop' ? JSON.stringify(event) : data;
}
