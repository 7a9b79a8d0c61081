/**
 * A conversation on the Converse wire: system blocks and turns of content blocks.
 */
import type {
  AssistantMessage,
  CacheControl,
  ContentPart,
  Message,
  TextPart,
} from '../../core/generation/request.ts';
import { cacheLifetime, returnableReasoning } from '../claude.ts';
import { inOrder } from '../pieces.ts';
import {
  type Block,
  isBlank,
  readArguments,
  type Turn,
  type TurnMessage,
  toSystem,
  toTurns,
  wireToolId,
  writtenParts,
} from '../turns.ts';
import { type DocumentNames, encodeMedia, nameDocuments } from './media.ts';

const textBlocks = ({ text, cacheControl }: TextPart): readonly Block[] => marked([{ text }], cacheControl);

/** The `system` field: all system messages in their order. */
export function encodeSystem(messages: readonly Message[]): readonly Block[] {
  return toSystem(messages, (parts, message) => marked(parts.flatMap(textBlocks), message.cacheControl));
}

/**
 * @throws GatewayError `invalid_request` for images and documents that are still links or none at all, and arguments
 * that are no object.
 */
export function encodeTurns(messages: readonly Message[]): readonly Turn[] {
  const names = nameDocuments(messages);
  return toTurns(messages, (message) => marked(encodeMessage(message, names), message.cacheControl));
}

function encodeMessage(message: TurnMessage, names: DocumentNames): readonly Block[] {
  if (message.role === 'assistant') return encodeAssistant(message);
  if (message.role === 'user') return encodeParts(message.content, names);
  // Inside of a result there is no place for a cache point.
  const marker = message.content.findLast(({ cacheControl }) => cacheControl)?.cacheControl;
  const content = encodeParts(message.content, names).filter((block) => !('cachePoint' in block));
  const toolResult = { toolUseId: wireToolId(message.toolCallId), content, status: 'success' };
  return marked([{ toolResult }], marker);
}

function encodeParts(parts: readonly ContentPart[], names: DocumentNames): readonly Block[] {
  return parts.flatMap((part): readonly Block[] => {
    if (part.type === 'text') return isBlank(part.text) ? [] : textBlocks(part);
    return marked([encodeMedia(part, names)], part.cacheControl);
  });
}

/** Reasoning goes first, then what was written, then the calls. */
function encodeAssistant(message: AssistantMessage): readonly Block[] {
  const reasoning = returnableReasoning(message.reasoningDetails).map((piece) => ({
    place: piece.place,
    block:
      piece.type === 'redacted'
        ? { reasoningContent: { redactedContent: Buffer.from(piece.data, 'utf8').toString('base64') } }
        : { reasoningContent: { reasoningText: { text: piece.text, signature: piece.signature } } },
  }));
  const calls = message.toolCalls.map((call) => {
    const input = readArguments(call);
    const toolUse = { toolUseId: wireToolId(call.id), name: call.name, input };
    return { place: call.place, blocks: [{ toolUse }] };
  });
  const written = writtenParts(message.content, message.refusal).map((part) => {
    return { place: part.place, blocks: textBlocks(part) };
  });
  return inOrder<Block>(reasoning, written, calls);
}

/** A caching marker is a block of its own here, after what it marks. */
export function marked(blocks: readonly Block[], cacheControl: CacheControl | undefined): readonly Block[] {
  const last = blocks.at(-1);
  if (!cacheControl || !last || 'cachePoint' in last) return blocks;
  const ttl = cacheLifetime(cacheControl);
  return [...blocks, { cachePoint: { type: 'default', ...(ttl !== undefined && { ttl }) } }];
}
