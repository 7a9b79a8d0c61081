/** What the Cohere protocol refuses in `messages`. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { listOf, objectOf, objectsOf, textOf, unknownKey } from '../json.ts';
import { refuse } from './refuse.ts';

const keys: Readonly<Record<string, ReadonlySet<string>>> = {
  system: new Set(['role', 'content']),
  user: new Set(['role', 'content']),
  assistant: new Set(['role', 'content', 'tool_calls', 'tool_plan', 'citations']),
  tool: new Set(['role', 'content', 'tool_call_id']),
};

const parts: Readonly<Record<string, ReadonlySet<string>>> = {
  system: new Set(['text']),
  user: new Set(['text', 'image_url']),
  assistant: new Set(['text', 'thinking']),
  tool: new Set(['text', 'document']),
};

export function checkMessages(messages: readonly JsonObject[], sees: boolean): void {
  if (messages.length === 0) refuse('invalid request: list of messages must not be empty');
  for (const message of messages) {
    const role = textOf(message.role);
    const known = keys[role];
    if (known === undefined) refuse(`invalid request: unknown role '${role}'`);
    const unknown = unknownKey(message, known);
    if (unknown !== undefined) refuse(`unknown field: parameter '${unknown}' is not a valid field`, 422);
    checkContent(message, role, sees);
    checkCalls(message);
  }
  checkOrder(messages);
}

function checkContent({ content, tool_calls }: JsonObject, role: string, sees: boolean): void {
  if (content === undefined && listOf(tool_calls).length > 0) return;
  if (typeof content === 'string' ? content === '' : objectsOf(content).length === 0) {
    refuse('invalid request: message must be at least 1 token long or tool results must be specified.');
  }
  for (const part of typeof content === 'string' ? [] : objectsOf(content)) {
    const type = textOf(part.type);
    if (!parts[role]?.has(type))
      refuse(`invalid request: '${type}' content is not supported for role ${role}`);
    if (type === 'text' && textOf(part.text) === '') refuse('invalid request: text must not be empty');
    if (type === 'image_url') checkImage(part, sees);
  }
}

function checkImage(part: JsonObject, sees: boolean): void {
  if (!sees) refuse('invalid request: image content is not supported for this model');
  const url = textOf(objectOf(part.image_url).url);
  if (!/^(https?:|data:image\/(png|jpeg|gif|webp);base64,)/.test(url)) refuse('invalid image url');
}

function checkCalls({ tool_calls }: JsonObject): void {
  for (const call of objectsOf(tool_calls)) {
    const { name, arguments: text } = objectOf(call.function);
    if (textOf(call.id) === '' || call.type !== 'function' || textOf(name) === '' || !isJsonObject(text)) {
      refuse('invalid request: tool call is malformed');
    }
  }
}

function isJsonObject(text: unknown): boolean {
  try {
    return /^\s*\{/.test(textOf(text)) && JSON.parse(textOf(text)) !== null;
  } catch {
    return false;
  }
}

/** Results follow their calls. */
function checkOrder(messages: readonly JsonObject[]): void {
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(textOf(message.tool_call_id))) {
        refuse('invalid request: tool call id not found in previous tool calls');
      }
      continue;
    }
    if (open.size > 0) refuse('invalid request: each tool call must be followed by its result');
    open = new Set(objectsOf(message.tool_calls).map(({ id }) => textOf(id)));
  }
}
