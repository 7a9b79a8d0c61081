/** What the Cohere protocol refuses in a chat request. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import {
  checkKeys,
  isObject,
  isOutside,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  textOf,
  textsOf,
  wordSet,
} from '../json.ts';
import { refuse } from './refuse.ts';

const known = wordSet(
  'model messages stream tools strict_tools tool_choice documents citation_options',
  'response_format safety_mode max_tokens stop_sequences temperature seed frequency_penalty',
  'presence_penalty k p logprobs thinking priority raw_prompting',
);

const toolKeys = wordSet('name description parameters');

const ranges: readonly (readonly [name: string, low: number, high: number])[] = [
  ['p', 0.01, 0.99],
  ['k', 0, 500],
  ['frequency_penalty', 0, 1],
  ['presence_penalty', 0, 1],
  ['temperature', 0, 5],
  ['max_tokens', 0, 64_000],
];

const thinks = /reasoning|-plus-05-2026/;
const sees = /vision|-plus-05-2026/;
const maxStops = 5;

export function checkChat(body: unknown): asserts body is JsonObject {
  if (!isObject(body)) refuse('invalid request: body is not valid json');
  checkKeys(body, known, (unknown) =>
    refuse(`unknown field: parameter '${unknown}' is not a valid field`, 422),
  );
  const model = textOf(body.model);
  if (!/^(command|c4ai)-/.test(model)) {
    refuse(`model '${model}' not found, make sure the correct model ID was used`, 404);
  }
  for (const [name, low, high] of ranges) {
    if (!isOutside(body[name], low, high)) continue;
    refuse(`invalid request: parameter '${name}' must be between ${low} and ${high}`);
  }
  if (textsOf(body.stop_sequences).length > maxStops) refuse('invalid request: too many stop sequences');
  if ('frequency_penalty' in body && 'presence_penalty' in body) {
    refuse('invalid request: cannot specify both frequency_penalty and presence_penalty.');
  }
  checkMessages(objectsOf(body.messages), sees.test(model));
  checkTools(body);
  checkFormat(body);
  checkThinking(objectOf(body.thinking), model);
}

function checkTools(body: JsonObject): void {
  const tools = objectsOf(body.tools);
  for (const tool of tools) {
    const { name, parameters } = objectOf(tool.function);
    if (tool.type !== 'function' || !/^[a-zA-Z0-9_-]+$/.test(textOf(name))) refuse('invalid request: tool');
    if (objectOf(parameters).type !== 'object')
      refuse(`invalid tool parameters schema for '${textOf(name)}'`);
    checkKeys(tool.function, toolKeys, () => refuse('unknown field in the function of a tool', 422));
  }
  const { tool_choice: choice } = body;
  if (choice === undefined) return;
  if (choice !== 'REQUIRED' && choice !== 'NONE')
    refuse("invalid request: parameter 'tool_choice' is invalid");
  if (tools.length === 0) refuse('invalid request: tool_choice needs tools');
}

function checkFormat(body: JsonObject): void {
  if (body.response_format === undefined) return;
  const { type, json_schema } = objectOf(body.response_format);
  if (type !== 'text' && type !== 'json_object') {
    refuse("invalid request: parameter 'response_format' must have the type 'text' or 'json_object'");
  }
  if (type === 'json_object' && listOf(body.tools).length > 0) {
    refuse('invalid request: response_format is not supported with tools.');
  }
  if (json_schema !== undefined && objectOf(json_schema).type !== 'object') {
    refuse('invalid request: the schema must be one of an object');
  }
}

function checkThinking({ type, token_budget }: JsonObject, model: string): void {
  if (type === undefined) return;
  if (!thinks.test(model)) refuse('invalid request: thinking is not supported by this model');
  if (type !== 'enabled' && type !== 'disabled') refuse('invalid request: thinking has an unknown type');
  if (token_budget !== undefined && (numberOf(token_budget) ?? 0) < 1) {
    refuse('invalid request: the token budget must be at least 1');
  }
}

const keysOf: Readonly<Record<string, ReadonlySet<string>>> = {
  system: new Set(['role', 'content']),
  user: new Set(['role', 'content']),
  assistant: new Set(['role', 'content', 'tool_calls', 'tool_plan', 'citations']),
  tool: new Set(['role', 'content', 'tool_call_id']),
};

const partsOf: Readonly<Record<string, ReadonlySet<string>>> = {
  system: new Set(['text']),
  user: new Set(['text', 'image_url']),
  assistant: new Set(['text', 'thinking']),
  tool: new Set(['text', 'document']),
};

function checkMessages(messages: readonly JsonObject[], sees: boolean): void {
  if (messages.length === 0) refuse('invalid request: list of messages must not be empty');
  for (const message of messages) {
    const role = textOf(message.role);
    const known = keysOf[role];
    if (known === undefined) refuse(`invalid request: unknown role '${role}'`);
    checkKeys(message, known, (unknown) =>
      refuse(`unknown field: parameter '${unknown}' is not a valid field`, 422),
    );
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
    if (!partsOf[role]?.has(type))
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
