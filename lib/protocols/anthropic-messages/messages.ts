/**
 * A conversation in the Messages API: system blocks, and turns of content blocks.
 */
import { withoutUndefined } from '../../core/formats/json-object.ts';
import type {
  AssistantMessage,
  CacheControl,
  ContentPart,
  Message,
  TextPart,
} from '../../core/generation/request.ts';
import { encodeToolCallId } from '../../core/generation/tools/tool-call-id.ts';
import { cacheLifetime, returnableReasoning } from '../claude.ts';
import { isDataUrl, type MediaPart, onlySeen, readDataUrl } from '../inline-media.ts';
import {
  inOrder,
  isBlank,
  type PositionedBlock,
  readArguments,
  type Turn,
  type TurnMessage,
  toSystem,
  toTurns,
  unmarked,
  writtenParts,
} from '../turns.ts';
import type * as wire from './wire.ts';
import type { SentBlock } from './wire.ts';

const textBlock = ({ text, cacheControl }: TextPart): SentBlock => ({
  type: 'text',
  text,
  ...encodeMarker(cacheControl),
});

/** The `system` field: all system messages in order. */
export function encodeSystem(messages: readonly Message[]): readonly SentBlock[] {
  return toSystem(messages, (parts, message) => marked(parts.map(textBlock), message.cacheControl));
}

/** @throws GatewayError `invalid_request` for invalid data URLs. */
export function encodeTurns(messages: readonly Message[]): readonly Turn[] {
  return toTurns(messages, (message) => marked(encodeMessage(message), message.cacheControl));
}

function encodeMessage(message: TurnMessage): readonly SentBlock[] {
  if (message.role === 'assistant') return encodeAssistant(message);
  if (message.role === 'user') return encodeParts(message.content);
  // A cache marker is set on the whole result, not inside it.
  const marker = message.content.findLast(({ cacheControl }) => cacheControl)?.cacheControl;
  const content = encodeParts(message.content.map(unmarked));
  const result: SentBlock = { type: 'tool_result', tool_use_id: encodeToolCallId(message.toolCallId) };
  const said: SentBlock = content.length > 0 ? { content } : {};
  return [{ ...result, ...said, ...encodeMarker(marker) }];
}

function encodeParts(parts: readonly ContentPart[]): readonly SentBlock[] {
  return parts.flatMap((part): SentBlock[] => {
    if (part.type === 'text') return isBlank(part.text) ? [] : [textBlock(part)];
    const seen = onlySeen(part);
    const source = encodeSource(seen);
    const title: SentBlock = seen.type === 'file' && seen.filename ? { title: seen.filename } : {};
    const type = seen.type === 'file' ? 'document' : 'image';
    return [{ type, source, ...title, ...encodeMarker(part.cacheControl) }];
  });
}

function encodeSource(part: MediaPart): wire.Source {
  if (!isDataUrl(part.url)) return { type: 'url', url: part.url };
  const { mediaType, base64 } = readDataUrl(part);
  return { type: 'base64', media_type: mediaType, data: base64 };
}

/** Thinking keeps its position; text comes before the calls. */
function encodeAssistant(message: AssistantMessage): readonly SentBlock[] {
  const thinking = returnableReasoning(message.reasoningDetails).map(
    (piece): PositionedBlock<SentBlock> => ({
      position: piece.position,
      block:
        piece.type === 'redacted'
          ? { type: 'redacted_thinking', data: piece.data }
          : { type: 'thinking', thinking: piece.text, signature: piece.signature },
    }),
  );
  const calls = message.toolCalls.map((call) => {
    const input = readArguments(call);
    const marker = encodeMarker(call.cacheControl);
    const own: SentBlock = { type: 'tool_use', id: encodeToolCallId(call.id), name: call.name, input };
    return { position: call.position, blocks: [{ ...own, ...marker }] };
  });
  const written = writtenParts(message.content, message.refusal).map((part) => {
    return { position: part.position, blocks: [textBlock(part)] };
  });
  return inOrder<SentBlock>(thinking, written, calls);
}

/** Sets a cache marker on the last block that supports one: thinking does not. An existing marker is kept. */
function marked(blocks: readonly SentBlock[], cacheControl: CacheControl | undefined): readonly SentBlock[] {
  const position = blocks.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
  const last = blocks[position];
  return last ? blocks.with(position, { ...encodeMarker(cacheControl), ...last }) : blocks;
}

/** The cache marker field of a block or tool; empty if it is not marked. */
export function encodeMarker(marker: CacheControl | undefined): {
  readonly cache_control?: wire.CacheMarker;
} {
  if (!marker) return {};
  return {
    cache_control: withoutUndefined<wire.CacheMarker>({ type: marker.type, ttl: cacheLifetime(marker) }),
  };
}
