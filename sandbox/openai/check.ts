/** What the OpenAI protocol refuses in a chat request, besides its messages. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import {
  checkKeys,
  isObject,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  textOf,
  textsOf,
  wordSet,
} from '../json.ts';
import { checkMessages } from './check-messages.ts';
import { canThink, checkModel } from './models.ts';
import { refuse, refuseMissing, refuseUnknown } from './refuse.ts';

const known = wordSet(
  'audio function_call functions frequency_penalty logit_bias logprobs max_completion_tokens',
  'max_tokens messages metadata modalities model moderation n parallel_tool_calls prediction',
  'presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention',
  'reasoning_effort response_format safety_identifier seed service_tier stop store stream',
  'stream_options temperature tool_choice tools top_logprobs top_p user verbosity',
  'web_search_options',
);

const ranges: readonly (readonly [name: string, low: number, high: number])[] = [
  ['temperature', 0, 2],
  ['top_p', 0, 1],
  ['frequency_penalty', -2, 2],
  ['presence_penalty', -2, 2],
  ['top_logprobs', 0, 20],
  ['n', 1, 128],
  ['max_tokens', 1, Number.POSITIVE_INFINITY],
  ['max_completion_tokens', 1, Number.POSITIVE_INFINITY],
];

/** `strict`: as OpenAI itself, which accepts only its own models and fields. */
export function checkChat(body: unknown, strict: boolean): asserts body is JsonObject {
  if (!isObject(body)) refuse('We could not parse the JSON body of your request.');
  if (strict) checkKeys(body, known, refuseUnknown);
  for (const name of ['model', 'messages']) {
    if (!(name in body)) refuseMissing(name);
  }
  if (listOf(body.messages).length === 0) {
    refuse("Invalid 'messages': empty array.", 'messages', 'empty_array');
  }
  if (strict) checkModel(body);
  if (strict) checkTier(body.service_tier);
  checkRanges(body);
  checkMessages(listOf(body.messages), strict);
  checkTools(body, strict);
  checkFormat(body);
  checkTogether(body);
}

function checkTier(tier: unknown): void {
  const tiers = ['auto', 'default', 'flex', 'scale', 'priority', 'fast'];
  if (tier === undefined || tiers.includes(textOf(tier))) return;
  refuse(
    `Invalid value: '${tier}'. Supported values are: ${tiers.join(', ')}.`,
    'service_tier',
    'invalid_value',
  );
}

function checkRanges(body: JsonObject): void {
  for (const [name, low, high] of ranges) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    const number = numberOf(value);
    if (number === undefined) refuse(`Invalid type for '${name}'.`, name, 'invalid_type');
    if (number < low || number > high)
      refuse(`Invalid '${name}': out of range.`, name, 'decimal_out_of_range');
  }
  if (textsOf(body.stop).length > 4)
    refuse("Invalid 'stop': array too long.", 'stop', 'array_above_max_length');
}

/** `strict`: other hosts know only functions, and OpenAI custom tools only for models that think. */
function checkTools(body: JsonObject, strict: boolean): void {
  const takesCustom = strict && canThink(textOf(body.model));
  for (const [index, tool] of objectsOf(body.tools).entries()) {
    const isCustom = tool.type === 'custom' && takesCustom;
    const path = `tools[${index}].${isCustom ? 'custom' : 'function'}`;
    const definition = objectOf(isCustom ? tool.custom : tool.function);
    if (tool.type !== 'function' && !isCustom)
      refuse('Invalid value.', `tools[${index}].type`, 'invalid_value');
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(textOf(definition.name))) {
      refuse(`Invalid '${path}.name': string does not match pattern.`, `${path}.name`, 'invalid_value');
    }
    const parameters = definition.parameters;
    if (parameters !== undefined && objectOf(parameters).type !== 'object') {
      refuse(`Invalid schema for '${path}': schema must have type 'object'.`, `${path}.parameters`);
    }
    if (definition.strict === true) checkStrictSchema(objectOf(parameters), `${path}.parameters`);
  }
}

function checkFormat(body: JsonObject): void {
  const format = objectOf(body.response_format);
  if (format.type === 'json_object' && !/json/i.test(JSON.stringify(body.messages))) {
    refuse(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      'messages',
    );
  }
  if (format.type !== 'json_schema') return;
  const definition = objectOf(format.json_schema);
  if (textOf(definition.name) === '') {
    refuseMissing('response_format.json_schema.name');
  }
  if (definition.strict === true) checkStrictSchema(objectOf(definition.schema), 'response_format');
}

/** A strict schema closes every object and requires every property. */
export function checkStrictSchema(schema: JsonObject, param: string): void {
  const properties = objectOf(schema.properties);
  if (schema.type === 'object' || 'properties' in schema) {
    const required = new Set(textsOf(schema.required));
    if (schema.additionalProperties !== false) {
      refuse("Invalid schema: 'additionalProperties' is required to be supplied and to be false.", param);
    }
    if (Object.keys(properties).some((name) => !required.has(name))) {
      refuse("Invalid schema: 'required' is required to include every key in properties.", param);
    }
  }
  const inner = [...Object.values(properties), ...Object.values(objectOf(schema.$defs)), schema.items];
  for (const one of [...inner, ...listOf(schema.anyOf)]) if (isObject(one)) checkStrictSchema(one, param);
}

/** Fields that make sense only beside another. */
function checkTogether(body: JsonObject): void {
  const tools = listOf(body.tools).length;
  if (tools === 0 && 'parallel_tool_calls' in body) {
    refuse(
      "Invalid value for 'parallel_tool_calls': only allowed when 'tools' are specified.",
      'parallel_tool_calls',
    );
  }
  if (tools === 0 && 'tool_choice' in body && body.tool_choice !== 'none') {
    refuse("Invalid value for 'tool_choice': only allowed when 'tools' are specified.", 'tool_choice');
  }
  if ('top_logprobs' in body && body.logprobs !== true) {
    refuse("'top_logprobs' needs 'logprobs' to be true.", 'top_logprobs');
  }
  if ('stream_options' in body && body.stream !== true) {
    refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options');
  }
}
