/**
 * Splits a request in two: what Gemini is to store as cached content, and what is still sent. Instructions and tools are
 * always stored, because a request that uses cached content must not have its own.
 */

import type { Target } from '../../core/catalog/model.ts';
import { asArray, asObject } from '../../core/formats/json-object.ts';
import type { GenerationProtocol } from '../../core/generation/original/protocol.ts';
import type { ContentPart, GenerationRequest, JsonObject, Message } from '../../core/generation/request.ts';
import { isBlank } from '../turns.ts';
import { encodeContents } from './contents.ts';
import type * as wire from './wire.ts';

/** The end of a prefix: a message, and the last of its parts that is included. */
export interface PrefixEnd {
  readonly message: number;
  readonly part?: number | undefined;
}

export interface CutRequest {
  readonly cached: JsonObject;
  readonly sent: JsonObject;
}

/**
 * Cuts after `end`, or earlier if the rest would be empty or start with results whose calls are cached.
 * Undefined if nothing is left to store. Without `end`, only instructions and tools are stored. `encode` encodes the
 * uncut request.
 */
export function cutRequest(
  request: GenerationRequest,
  target: Target,
  end: PrefixEnd | undefined,
  encode: GenerationProtocol['encode'],
): CutRequest | undefined {
  const messages = end ? splitMessage(request.messages, end) : request.messages;
  const { systemInstruction, tools, toolConfig, contents, ...sent } = encode(
    { ...request, messages },
    target,
  );
  const all = asArray(contents);
  const prefix = { ...request, messages: messages.slice(0, end ? end.message + 1 : 0) };
  const wanted = encodeContents(prefix, target).length;
  const cut = fitCut(all, wanted);
  if (cut === 0 && systemInstruction === undefined && tools === undefined) return undefined;
  const cached = { systemInstruction, tools, toolConfig, contents: cut > 0 ? all.slice(0, cut) : undefined };
  return {
    cached: Object.fromEntries(Object.entries(cached).filter(([, value]) => value !== undefined)),
    sent: { contents: all.slice(cut), ...sent },
  };
}

function fitCut(contents: readonly unknown[], wanted: number): number {
  let cut = Math.min(wanted, contents.length - 1);
  while (cut > 0 && isResults(contents[cut])) cut -= 1;
  return Math.max(cut, 0);
}

function isResults(content: unknown): boolean {
  return asArray(asObject<wire.Content>(content).parts).some(
    (part) => asObject<wire.Part>(part).functionResponse !== undefined,
  );
}

const isBlankContent = (content: readonly ContentPart[]): boolean =>
  content.every((part) => part.type === 'text' && isBlank(part.text));

/** Two turns of the user instead of one if the prefix ends inside the turn. */
function splitMessage(messages: readonly Message[], { message, part }: PrefixEnd): readonly Message[] {
  const marked = messages[message];
  if (marked?.role !== 'user' || part === undefined || part + 1 >= marked.content.length) return messages;
  const halves = [marked.content.slice(0, part + 1), marked.content.slice(part + 1)];
  if (halves.some(isBlankContent)) return messages;
  return messages.toSpliced(message, 1, ...halves.map((content) => ({ ...marked, content })));
}
