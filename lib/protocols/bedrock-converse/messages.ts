/**
 * A conversation on the Converse wire: system blocks and turns of content blocks.
 */
import { GatewayError } from '../../core/errors.ts';
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

const textBlock = (text: string): Block => ({ text });

/** The `system` field: all system messages in their order. */
export function encodeSystem(messages: readonly Message[]): readonly Block[] {
  return toSystem(messages, (texts, message) => marked(texts.map(textBlock), message.cacheControl));
}

/**
 * @throws GatewayError `invalid_request` for images that are still links or no images, and arguments that are no
 * object.
 */
export function encodeTurns(messages: readonly Message[]): readonly Turn[] {
  return toTurns(messages, (message, position) =>
    marked(encodeMessage(message, position), message.cacheControl),
  );
}

function encodeMessage(message: TurnMessage, position: number): readonly Block[] {
  if (message.role === 'assistant') return encodeAssistant(message, position);
  const content = encodeParts(message.content, position);
  if (message.role === 'user') return content;
  return [{ toolResult: { toolUseId: wireToolId(message.toolCallId), content, status: 'success' } }];
}

function encodeParts(parts: readonly ContentPart[], position: number): readonly Block[] {
  return parts.flatMap((part, index): Block[] => {
    if (part.type === 'text') return isBlank(part.text) ? [] : [textBlock(part.text)];
    return [encodeImage(part.url, imageParam(position, index))];
  });
}

function encodeImage(url: string, param: string): Block {
  if (!/^data:/i.test(url)) {
    const message = 'This provider takes no links to images; the image must be in the request.';
    throw new GatewayError('invalid_request', message, { param: 'messages' });
  }
  const image = readDataUrl(url, param);
  return { image: { format: image.mediaType.replace('image/', ''), source: { bytes: image.base64 } } };
}

/** Reasoning goes first, then what was written, then the calls. */
function encodeAssistant(message: AssistantMessage, position: number): readonly Block[] {
  const reasoning = returnableReasoning(message.reasoningDetails).map((piece) =>
    piece.type === 'redacted'
      ? { reasoningContent: { redactedContent: Buffer.from(piece.data, 'utf8').toString('base64') } }
      : { reasoningContent: { reasoningText: { text: piece.text, signature: piece.signature } } },
  );
  const calls = message.toolCalls.map((call, index) => ({
    toolUse: {
      toolUseId: wireToolId(call.id),
      name: call.name,
      input: readArguments(call.arguments, `messages.${position}.tool_calls.${index}.function.arguments`),
    },
  }));
  return [...reasoning, ...writtenTexts(message.content, message.refusal).map(textBlock), ...calls];
}

/** A caching marker is a block of its own here, after what it marks. */
function marked(blocks: readonly Block[], cacheControl: CacheControl | undefined): readonly Block[] {
  if (!cacheControl || blocks.length === 0) return blocks;
  const ttl = cacheLifetime(cacheControl);
  return [...blocks, { cachePoint: { type: 'default', ...(ttl !== undefined && { ttl }) } }];
}
