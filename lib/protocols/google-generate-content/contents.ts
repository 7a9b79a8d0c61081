/**
 * A conversation as Gemini `contents`: turns of user and model, with all results of a turn together. The content of a model
 * turn is in `model-turn.ts`.
 */

import type { Target } from '../../core/catalog/model.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { isJsonObject, withoutUndefined } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { startOf } from '../../core/generation/conversation.ts';
import { pathOf } from '../../core/generation/original/source.ts';
import type {
  ContentPart,
  GenerationRequest,
  JsonObject,
  Message,
  ToolCall,
  ToolMessage,
} from '../../core/generation/request.ts';
import { isDataUrl, readDataUrl } from '../inline-media.ts';
import { asUser, isBlank } from '../turns.ts';
import { encodeAssistant } from './model-turn.ts';
import { hasSteps } from './steps.ts';
import type * as wire from './wire.ts';

/** The state while iterating over the conversation. */
interface Walk {
  readonly contents: wire.SentContent[];
  /** By call id. A later call with the same id replaces the earlier one. */
  readonly calls: Map<string, KnownCall>;
  callCount: number;
  /** Consecutive results that are not written yet. */
  results: { readonly rank: number; readonly part: wire.Part }[];
}

interface KnownCall {
  readonly name: string;
  /** The index among all calls of the conversation. */
  readonly rank: number;
}

/** @throws GatewayError `invalid_request` for a tool result without its call, or invalid media. */
export function encodeContents(
  { messages, tools, webSearch }: Pick<GenerationRequest, 'messages' | 'tools' | 'webSearch'>,
  target: Target,
): readonly wire.SentContent[] {
  const needsSignature = target.model.traits.reasoning?.style === 'level';
  // Beside its own tools, Google gives ids to calls of functions, and the results must have them.
  const withIds = (webSearch !== undefined && tools.length > 0) || messages.some(hasSteps);
  const walk: Walk = { contents: [], calls: new Map(), callCount: 0, results: [] };
  const start = startOf(messages);
  for (const [index, given] of messages.entries()) {
    if (index < start) continue;
    const message = given.role === 'system' ? asUser(given) : given;
    if (message.role === 'tool') {
      const { name, rank } = findCall(walk, message);
      walk.results.push({ rank, part: encodeResult(message, name, withIds) });
      continue;
    }
    writeResults(walk);
    if (message.role === 'user') {
      walk.contents.push(toContent('user', message.content.filter(saysSomething).map(encodePart), message));
    } else {
      const parts = encodeAssistant(message, { needsSignature, withIds });
      // An earlier answer without any content: there is no part that could stand for it.
      if (parts.length > 0) walk.contents.push(toContent('model', parts, message));
      rememberCalls(walk, message.toolCalls);
    }
  }
  writeResults(walk);
  return walk.contents;
}

function rememberCalls(walk: Walk, made: readonly ToolCall[]): void {
  for (const { id, name } of made) {
    walk.calls.set(id, { name, rank: walk.callCount });
    walk.callCount += 1;
  }
}

function findCall({ calls }: Walk, message: ToolMessage): KnownCall {
  const call = calls.get(message.toolCallId);
  if (call !== undefined) return call;
  throw new GatewayError(
    'invalid_request',
    "This 'tool_call_id' does not match a tool call in an earlier message.",
    { param: pathOf(message, 'toolCallId') },
  );
}

function toContent(role: 'user' | 'model', parts: readonly wire.Part[], { name }: Message): wire.SentContent {
  const shown = parts.length > 0 ? parts : [{ text: '' }];
  return withoutUndefined<wire.SentContent>({ role, parts: shown, name });
}

/** Results are sent together, in the order of their calls, whatever the caller's order. */
function writeResults(walk: Walk): void {
  if (walk.results.length === 0) return;
  const sorted = walk.results.toSorted((one, other) => one.rank - other.rank);
  walk.contents.push({ role: 'user', parts: sorted.map(({ part }) => part) });
  walk.results = [];
}

function encodeResult(message: ToolMessage, name: string, withIds: boolean): wire.Part {
  const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const media = message.content.flatMap((part) => (part.type === 'text' ? [] : [encodePart(part)]));
  const response = readJsonObject(text) ?? { result: text };
  return {
    functionResponse: withoutUndefined<wire.FunctionResponse>({
      id: withIds ? message.toolCallId : undefined,
      name,
      response,
      parts: media.length > 0 ? media : undefined,
    }),
  };
}

/** "required oneof field 'data' must have one initialized field": a text must not be empty (router-for-me/CLIProxyAPI issue 1292). */
const saysSomething = (part: ContentPart): boolean => part.type !== 'text' || !isBlank(part.text);

/** Images and documents are sent inline, with the type detected from their first bytes. */
function encodePart(part: ContentPart): wire.Part {
  if (part.type === 'text') return { text: part.text };
  // Only a video on YouTube stays a link. Source: Google's guide "Video understanding"; Vertex requires a type beside it.
  if (!isDataUrl(part.url)) {
    const mimeType = part.type === 'video' ? 'video/mp4' : undefined;
    return { fileData: withoutUndefined<wire.FileData>({ fileUri: part.url, mimeType }) };
  }
  const { mediaType, base64 } = readDataUrl(part);
  return { inlineData: { mimeType: mediaType, data: base64 } satisfies wire.InlineData };
}

function readJsonObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}
