/**
 * Messages in the OpenAI chat protocol, in a host's dialect. Reasoning and cache markers that the host does not support are
 * omitted; the rules report them.
 */

import type { Target } from '../../core/catalog/model.ts';
import { nameFor, pdfType } from '../../core/formats/file-type.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import type {
  AssistantMessage,
  CacheControl,
  ContentPart,
  JsonObject,
  Message,
  ReasoningDetail,
  TextPart,
  ToolCall,
} from '../../core/generation/request.ts';
import { writtenTexts } from '../turns.ts';
import { type Dialect, encodeToolId } from './dialect.ts';
import type { SentCall, SentMessage, SentPart } from './wire.ts';

export function encodeMessages(
  messages: readonly Message[],
  target: Target,
  dialect: Dialect,
): readonly SentMessage[] {
  const reasons = target.model.traits.reasoning !== undefined;
  const systemRole = (reasons && dialect.reasonerSystemRole) || 'system';
  const taken = dialect.refusesEmptyAnswers ? messages.filter((...each) => !isEmpty(...each)) : messages;
  const ordered = dialect.mergesTurns ? mergeTurns(taken) : taken;
  const encoded = ordered.map((message) => encodeMessage(message, systemRole, dialect));
  const last = taken.at(-1);
  const isContinued =
    last?.role === 'assistant' && last.continued !== false && dialect.continued !== undefined;
  return isContinued ? [...encoded.slice(0, -1), { ...encoded.at(-1), ...dialect.continued }] : encoded;
}

/** A last message without text may have a name, which says who speaks. */
function isEmpty(message: Message, position: number, { length }: readonly Message[]): boolean {
  if (message.role !== 'assistant' || message.toolCalls.length > 0) return false;
  const { content, refusal, name } = message;
  return writtenTexts(content, refusal).length === 0 && (name === undefined || position < length - 1);
}

function encodeMessage(message: Message, systemRole: string, dialect: Dialect): SentMessage {
  const name: SentMessage = message.name === undefined ? {} : { name: message.name };
  if (message.role === 'assistant') return { ...encodeAssistant(message, dialect), ...name };
  const content = encodeContent(message.content, message.cacheControl, dialect);
  if (message.role !== 'tool') {
    return { role: message.role === 'system' ? systemRole : 'user', content, ...name };
  }
  return { role: 'tool', tool_call_id: encodeToolId(message.toolCallId, dialect), content, ...name };
}

function encodeAssistant(message: AssistantMessage, dialect: Dialect): SentMessage {
  const { content, refusal, toolCalls, cacheControl } = message;
  const saysNothing = content.length === 0 && (toolCalls.length > 0 || refusal !== undefined);
  const { head, fields } = encodeReplay(message, dialect);
  const texts: readonly TextPart[] = head === '' ? content : [{ type: 'text', text: head }, ...content];
  return withoutUndefined<SentMessage>({
    role: 'assistant',
    content: saysNothing && head === '' ? null : encodeContent(texts, cacheControl, dialect),
    ...fields,
    refusal,
    tool_calls: toolCalls.length > 0 ? toolCalls.map((call) => encodeToolCall(call, dialect)) : undefined,
  });
}

/** A single text is sent as a plain string, which every compatible host accepts. */
function encodeContent(
  parts: readonly ContentPart[],
  marker: CacheControl | undefined,
  dialect: Dialect,
): string | readonly SentPart[] {
  const marked = dialect.takesCacheControl ? withMarker(parts, marker) : parts;
  const texts = marked.filter((part) => part.type === 'text').map(({ text }) => text);
  const isMarked = dialect.takesCacheControl && marked.some((part) => part.cacheControl !== undefined);
  const isPlain = texts.length === marked.length && !isMarked;
  if (isPlain && (texts.length <= 1 || dialect.joinsTexts)) return texts.join('\n');
  return marked.map((part) => encodePart(part, dialect));
}

/** The cache marker of a message is set on its last part. */
function withMarker(parts: readonly ContentPart[], marker: CacheControl | undefined): readonly ContentPart[] {
  const last = parts.at(-1);
  if (marker === undefined || last === undefined) return parts;
  return [...parts.slice(0, -1), { ...last, cacheControl: marker }];
}

function encodePart(part: ContentPart, { takesCacheControl }: Dialect): SentPart {
  const marker: SentPart = takesCacheControl && part.cacheControl ? { cache_control: part.cacheControl } : {};
  if (part.type === 'text') return { type: 'text', text: part.text, ...marker };
  if (part.type === 'file') {
    // Files without a name are rejected.
    const { mediaType = pdfType, filename = nameFor(mediaType), url: file_data } = part;
    return { type: 'file', file: { filename, file_data }, ...marker };
  }
  if (part.type === 'audio') return { type: 'input_audio', input_audio: encodeAudio(part.url), ...marker };
  if (part.type === 'video') return { type: 'video_url', video_url: { url: part.url }, ...marker };
  const { url, detail } = part;
  return { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) }, ...marker };
}

/** The protocol names the format as files do: `mp3`. */
function encodeAudio(url: string): JsonObject {
  const [, format = ''] = /^data:audio\/([^;,]*)/i.exec(url.slice(0, 64)) ?? [];
  return { data: url.slice(url.indexOf(',') + 1), format };
}

function encodeToolCall({ id, kind, name, arguments: text }: ToolCall, dialect: Dialect): SentCall {
  if (kind === 'custom') return { id: encodeToolId(id, dialect), type: kind, custom: { name, input: text } };
  const definition = { name, arguments: text.trim() === '' ? '{}' : text };
  return { id: encodeToolId(id, dialect), type: 'function', function: definition };
}

/** Adjacent messages of one role are joined. Calls and their results stay unchanged. */
function mergeTurns(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === 'user' && message.role === 'user') {
      merged[merged.length - 1] = { ...last, content: [...last.content, ...message.content] };
    } else if (last?.role === 'system' && message.role === 'system') {
      merged[merged.length - 1] = { ...last, content: [...last.content, ...message.content] };
    } else if (last?.role === 'assistant' && message.role === 'assistant' && last.toolCalls.length === 0) {
      merged[merged.length - 1] = { ...message, content: [...last.content, ...message.content] };
    } else merged.push(message);
  }
  return merged;
}

interface Replayed {
  /** What comes before the content. */
  readonly head: string;
  readonly fields: JsonObject;
}

const nothing: Replayed = { head: '', fields: {} };

/**
 * A model's reasoning on its way back to its host: in a field, in the list of details, or at the start of the content, as the
 * host's dialect says. The rules have removed details of other hosts.
 */
function encodeReplay(
  { reasoning, reasoningDetails, toolCalls }: AssistantMessage,
  { replay }: Dialect,
): Replayed {
  if (replay === undefined) return nothing;
  if (replay.field === 'reasoning_details' && reasoningDetails.length > 0) {
    return {
      head: '',
      fields: { reasoning_details: reasoningDetails.map(({ position: _, model: __, ...detail }) => detail) },
    };
  }
  const text = reasoning ?? reasoningDetails.map(textOf).join('');
  // Hosts that require reasoning to be sent back require it for every call, also of other models.
  const isAsked = replay.field === 'reasoning_content' && toolCalls.length > 0;
  if (text === '' && !isAsked) return nothing;
  if (replay.field === 'think') return { head: `<think>${text}</think>`, fields: {} };
  // Some clients keep only the readable text, which a router accepts too.
  const field = replay.field === 'reasoning_details' ? 'reasoning' : replay.field;
  return { head: '', fields: { [field]: text } };
}

function textOf(detail: ReasoningDetail): string {
  return detail.type === 'reasoning.text' ? detail.text : '';
}
