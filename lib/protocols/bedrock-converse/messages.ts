/**
 * A conversation in the Converse API: system blocks, and turns of content blocks.
 */
import type {
  AssistantMessage,
  CacheControl,
  ContentPart,
  Message,
  TextPart,
} from '../../core/generation/request.ts';
import { encodeToolCallId } from '../../core/generation/tools/tool-call-id.ts';
import { cacheLifetime, returnableReasoning } from '../claude.ts';
import {
  inOrder,
  isBlank,
  type PositionedBlock,
  readArguments,
  type Turn,
  type TurnMessage,
  toSystem,
  toTurns,
  writtenParts,
} from '../turns.ts';
import { type DocumentNames, encodeMedia, nameDocuments } from './media.ts';
import type { SentBlock, ToolResult, ToolUse } from './wire.ts';

const textBlocks = ({ text, cacheControl }: TextPart): readonly SentBlock[] =>
  marked([{ text }], cacheControl);

/** The `system` field: all system messages in order. */
export function encodeSystem(messages: readonly Message[]): readonly SentBlock[] {
  return toSystem(messages, (parts, message) => marked(parts.flatMap(textBlocks), message.cacheControl));
}

/** @throws GatewayError `invalid_request` for images and documents that are links or invalid. */
export function encodeTurns(messages: readonly Message[]): readonly Turn[] {
  const names = nameDocuments(messages);
  return toTurns(messages, (message) => marked(encodeMessage(message, names), message.cacheControl));
}

function encodeMessage(message: TurnMessage, names: DocumentNames): readonly SentBlock[] {
  if (message.role === 'assistant') return encodeAssistant(message);
  if (message.role === 'user') return encodeParts(message.content, names);
  // A cache point is not supported inside a tool result.
  const marker = message.content.findLast(({ cacheControl }) => cacheControl)?.cacheControl;
  const content = encodeParts(message.content, names).filter((block) => !('cachePoint' in block));
  const toolResult: ToolResult = {
    toolUseId: encodeToolCallId(message.toolCallId),
    content,
    status: 'success',
  };
  return marked([{ toolResult }], marker);
}

function encodeParts(parts: readonly ContentPart[], names: DocumentNames): readonly SentBlock[] {
  return parts.flatMap((part): readonly SentBlock[] => {
    if (part.type === 'text') return isBlank(part.text) ? [] : textBlocks(part);
    return marked([encodeMedia(part, names)], part.cacheControl);
  });
}

/** Reasoning comes first, then text, then calls. */
function encodeAssistant(message: AssistantMessage): readonly SentBlock[] {
  const reasoning = returnableReasoning(message.reasoningDetails).map(
    (piece): PositionedBlock<SentBlock> => ({
      position: piece.position,
      block:
        piece.type === 'redacted'
          ? { reasoningContent: { redactedContent: Buffer.from(piece.data, 'utf8').toString('base64') } }
          : { reasoningContent: { reasoningText: { text: piece.text, signature: piece.signature } } },
    }),
  );
  const calls = message.toolCalls.map((call) => {
    const input = readArguments(call);
    const toolUse: ToolUse = { toolUseId: encodeToolCallId(call.id), name: call.name, input };
    return { position: call.position, blocks: marked([{ toolUse }], call.cacheControl) };
  });
  const written = writtenParts(message.content, message.refusal).map((part) => {
    return { position: part.position, blocks: textBlocks(part) };
  });
  return inOrder<SentBlock>(reasoning, written, calls);
}

/** A cache marker is a separate block, after the marked one. */
export function marked(
  blocks: readonly SentBlock[],
  cacheControl: CacheControl | undefined,
): readonly SentBlock[] {
  const last = blocks.at(-1);
  if (!cacheControl || !last || 'cachePoint' in last) return blocks;
  const ttl = cacheLifetime(cacheControl);
  return [...blocks, { cachePoint: { type: 'default', ...(ttl !== undefined && { ttl }) } }];
}
