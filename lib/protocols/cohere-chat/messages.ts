/**
 * A conversation in the Cohere v2 chat API, including its reasoning: thinking is a part of the content, and the plan before a
 * turn's calls is a field of that turn.
 */
import { withoutUndefined } from '../../core/formats/json-object.ts';
import type {
  AssistantMessage,
  ContentPart,
  Message,
  ReasoningDetail,
  ToolCall,
} from '../../core/generation/request.ts';
import { isDataUrl, type MediaPart, onlySeen, readDataUrl } from '../inline-media.ts';
import { isBlank, writtenTexts } from '../turns.ts';
import type { SentCall, SentMessage, SentPart } from './wire.ts';

/** The `format` of reasoning of Cohere's models: thinking is a text, and the plan before calls a summary. */
export const cohereFormat = 'cohere-v2';

export function encodeMessages(messages: readonly Message[]): readonly SentMessage[] {
  return messages.flatMap((message) =>
    saysNothing(message) ? [] : [withName(encodeMessage(message), message)],
  );
}

/** Empty system and assistant messages are rejected, so they are omitted. Empty user and tool messages are sent. */
function saysNothing(message: Message): boolean {
  if (message.role === 'assistant') {
    const { content, refusal, toolCalls, reasoningDetails } = message;
    const said =
      toolCalls.length + thinkingOf(reasoningDetails).length + writtenTexts(content, refusal).length;
    return said === 0;
  }
  return message.role === 'system' && message.content.every(({ text }) => isBlank(text));
}

function encodeMessage(message: Message): SentMessage {
  if (message.role === 'assistant') return encodeAssistant(message);
  const content = encodeContent(message.content);
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content };
  return { role: message.role, content };
}

function withName(encoded: SentMessage, { name }: Message): SentMessage {
  return name === undefined ? encoded : { ...encoded, name };
}

/** A single text is sent as a plain string. Blank texts next to others are omitted. */
function encodeContent(parts: readonly ContentPart[]): string | readonly SentPart[] {
  const [first, ...others] = parts;
  if (first === undefined) return '';
  if (first.type === 'text' && others.length === 0) return first.text;
  return parts.flatMap((part) => (part.type === 'text' && isBlank(part.text) ? [] : [encodePart(part)]));
}

/** The protocol has no documents: one is sent in OpenAI's form, so that Cohere rejects it. */
function encodePart(part: ContentPart): SentPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const seen = onlySeen(part);
  const url = encodeUrl(seen);
  if (seen.type === 'file') return { type: 'file', file: { file_data: url } };
  const { detail } = seen;
  return { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } };
}

function encodeUrl(part: MediaPart): string {
  if (!isDataUrl(part.url)) return part.url;
  const { mediaType, base64 } = readDataUrl(part);
  return `data:${mediaType};base64,${base64}`;
}

function encodeAssistant({ content, refusal, toolCalls, reasoningDetails }: AssistantMessage): SentMessage {
  const thinking = thinkingOf(reasoningDetails);
  const plans = reasoningDetails.flatMap((detail) =>
    detail.format === cohereFormat && detail.type === 'reasoning.summary' ? [detail.summary] : [],
  );
  const texts = writtenTexts(content, refusal).map((text): SentPart => ({ type: 'text', text }));
  const [only, ...others] = texts;
  const parts = thinking.length + others.length > 0 ? [...thinking, ...texts] : (only?.text ?? '');
  return withoutUndefined<SentMessage>({
    role: 'assistant',
    content: parts !== '' || toolCalls.length === 0 ? parts : undefined,
    tool_calls: toolCalls.length > 0 ? toolCalls.map(encodeCall) : undefined,
    tool_plan: plans.length > 0 ? plans.join('\n') : undefined,
  });
}

/** The plan of the calls is not included: without the calls it is useless. */
function thinkingOf(details: readonly ReasoningDetail[]): readonly SentPart[] {
  return details.flatMap((detail) =>
    detail.format === cohereFormat && detail.type === 'reasoning.text'
      ? [{ type: 'thinking', thinking: detail.text }]
      : [],
  );
}

function encodeCall({ id, name, arguments: text }: ToolCall): SentCall {
  return { id, type: 'function', function: { name, arguments: isBlank(text) ? '{}' : text } };
}
