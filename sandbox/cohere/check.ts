/** What the Cohere protocol refuses in a chat request, besides its messages. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { isObject, listOf, numberOf, objectOf, objectsOf, textOf, textsOf, unknownKey } from '../json.ts';
import { checkMessages } from './check-messages.ts';
import { refuse } from './refuse.ts';

const known = new Set(
  [
    'model messages stream tools strict_tools tool_choice documents citation_options response_format safety_mode',
    'max_tokens stop_sequences temperature seed frequency_penalty presence_penalty k p logprobs thinking priority',
    'raw_prompting',
  ].flatMap((line) => line.split(' ')),
);

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
  const unknown = unknownKey(body, known);
  if (unknown !== undefined) refuse(`unknown field: parameter '${unknown}' is not a valid field`, 422);
  const model = textOf(body.model);
  if (!/^(command|c4ai)-/.test(model)) {
    refuse(`model '${model}' not found, make sure the correct model ID was used`, 404);
  }
  for (const [name, low, high] of ranges) checkRange(body, name, low, high);
  if (textsOf(body.stop_sequences).length > maxStops) refuse('invalid request: too many stop sequences');
  if ('frequency_penalty' in body && 'presence_penalty' in body) {
    refuse('invalid request: cannot specify both frequency_penalty and presence_penalty.');
  }
  checkMessages(objectsOf(body.messages), sees.test(model));
  checkTools(body);
  checkFormat(body);
  checkThinking(objectOf(body.thinking), model);
}

function checkRange(body: JsonObject, name: string, low: number, high: number): void {
  if (!(name in body)) return;
  const value = numberOf(body[name]) ?? Number.NaN;
  if (!(value >= low && value <= high)) {
    refuse(`invalid request: parameter '${name}' must be between ${low} and ${high}`);
  }
}

function checkTools(body: JsonObject): void {
  const tools = objectsOf(body.tools);
  for (const tool of tools) {
    const { name, parameters } = objectOf(tool.function);
    if (tool.type !== 'function' || !/^[a-zA-Z0-9_-]+$/.test(textOf(name))) refuse('invalid request: tool');
    if (objectOf(parameters).type !== 'object')
      refuse(`invalid tool parameters schema for '${textOf(name)}'`);
    if (unknownKey(tool.function, new Set(['name', 'description', 'parameters'])) !== undefined) {
      refuse('unknown field in the function of a tool', 422);
    }
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
