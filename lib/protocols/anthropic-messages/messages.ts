/**
 * A conversation on the Messages wire: system blocks and turns of content blocks.
 */
import type { AssistantMessage, CacheControl, ContentPart, Message } from '../../core/generation.ts';
import { cacheLifetime, returnableReasoning } from '../claude.ts';
import { imageParam, readDataUrl } from '../inline-image.ts';
import {
  type Block,
  isBlank,
  readArguments,
  type Turn,
  type TurnMessage,
  toSystem,
  toTurns,
  wireToolId,
  writtenTexts,
} from '../turns.ts';

const textBlock = (text: string): Block => ({ type: 'text', text });

/** The `system` field: all system messages in their order. */
export function encodeSystem(messages: readonly Message[]): readonly Block[] {
  return toSystem(messages, (texts, message) => marked(texts.map(textBlock), message.cacheControl));
}

/** @throws GatewayError `invalid_request` for data URLs that are no image, and arguments that are no object. */
export function encodeTurns(messages: readonly Message[]): readonly Turn[] {
  return toTurns(messages, (message, position) =>
    marked(encodeMessage(message, position), message.cacheControl),
  );
}

function encodeMessage(message: TurnMessage, position: number): readonly Block[] {
  if (message.role === 'assistant') return encodeAssistant(message, position);
  const content = encodeParts(message.content, position);
  if (message.role === 'user') return content;
  const result = { type: 'tool_result', tool_use_id: wireToolId(message.toolCallId) };
  return [content.length === 0 ? result : { ...result, content }];
}

function encodeParts(parts: readonly ContentPart[], position: number): readonly Block[] {
  return parts.flatMap((part, index): Block[] => {
    if (part.type === 'text') return isBlank(part.text) ? [] : [textBlock(part.text)];
    return [encodeImage(part.url, imageParam(position, index))];
  });
}

function encodeImage(url: string, param: string): Block {
  if (!/^data:/i.test(url)) return { type: 'image', source: { type: 'url', url } };
  const image = readDataUrl(url, param);
  return { type: 'image', source: { type: 'base64', media_type: image.mediaType, data: image.base64 } };
}

/** Thinking goes first, then what was written, then the calls. */
function encodeAssistant(message: AssistantMessage, position: number): readonly Block[] {
  const thinking = returnableReasoning(message.reasoningDetails).map((piece) =>
    piece.type === 'redacted'
      ? { type: 'redacted_thinking', data: piece.data }
      : { type: 'thinking', thinking: piece.text, signature: piece.signature },
  );
  const calls = message.toolCalls.map((call, index) => ({
    type: 'tool_use',
    id: wireToolId(call.id),
    name: call.name,
    input: readArguments(call.arguments, `messages.${position}.tool_calls.${index}.function.arguments`),
  }));
  return [...thinking, ...writtenTexts(message.content, message.refusal).map(textBlock), ...calls];
}

/** Puts a caching marker on the last block that takes one: thinking does not. */
function marked(blocks: readonly Block[], cacheControl: CacheControl | undefined): readonly Block[] {
  const position = blocks.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
  if (!cacheControl || position < 0) return blocks;
  const ttl = cacheLifetime(cacheControl);
  const cache_control = { type: cacheControl.type, ...(ttl !== undefined && { ttl }) };
  return blocks.map((block, index) => (index === position ? { ...block, cache_control } : block));
}
