/**
 * A request cut in two: what Gemini shall keep as cached content, and what is still sent. Instructions and tools always
 * belong to what is kept, since a request that uses cached content may not have its own.
 */

import type { GenerationProtocol } from '../../core/generation/protocol.ts';
import type { GenerationRequest, JsonObject, Message } from '../../core/generation/request.ts';
import type { Target } from '../../core/model.ts';
import { asArray, asObject } from '../json.ts';
import { encodeContents } from './contents.ts';

/** The end of a prefix: a message, and where it ends inside of that one, its last part. */
export interface PrefixEnd {
  readonly message: number;
  readonly part?: number | undefined;
}

export interface CutRequest {
  readonly kept: JsonObject;
  readonly sent: JsonObject;
}

/**
 * Cuts after `end`, or earlier where what is sent would be empty, or begin with results whose calls it does not hold.
 * Undefined where nothing is left to keep. Without `end`, only instructions and tools are kept. `encode` writes the
 * request as it would go out uncut.
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
  const wanted = end ? encodeContents(messages.slice(0, end.message + 1), target).length : 0;
  const cut = fitCut(all, wanted);
  if (cut === 0 && systemInstruction === undefined && tools === undefined) return undefined;
  const kept = { systemInstruction, tools, toolConfig, contents: cut > 0 ? all.slice(0, cut) : undefined };
  return {
    kept: Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)),
    sent: { contents: all.slice(cut), ...sent },
  };
}

function fitCut(contents: readonly unknown[], wanted: number): number {
  let cut = Math.min(wanted, contents.length - 1);
  while (cut > 0 && isResults(contents[cut])) cut -= 1;
  return Math.max(cut, 0);
}

function isResults(content: unknown): boolean {
  return asArray(asObject(content).parts).some((part) => asObject(part).functionResponse !== undefined);
}

/** Two turns of the user's instead of one, where the prefix ends inside of it. */
function splitMessage(messages: readonly Message[], { message, part }: PrefixEnd): readonly Message[] {
  const marked = messages[message];
  if (marked?.role !== 'user' || part === undefined || part + 1 >= marked.content.length) return messages;
  const halves = [marked.content.slice(0, part + 1), marked.content.slice(part + 1)];
  return messages.toSpliced(message, 1, ...halves.map((content) => ({ ...marked, content })));
}
