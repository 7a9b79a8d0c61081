/**
 * What the Anthropic protocol refuses in a request, besides its messages.
 */
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import { isObject, listOf, numberOf, objectOf, objectsOf, textOf, textsOf, unknownKey } from '../json.ts';
import { checkMessages } from './check-messages.ts';
import { checkThinking } from './check-thinking.ts';
import { isWebSearch } from './read.ts';
import { refuse } from './refuse.ts';

const known = new Set(
  [
    'model messages max_tokens system metadata stop_sequences stream temperature top_k top_p tools tool_choice',
    'thinking output_config service_tier cache_control container context_management mcp_servers inference_geo',
  ].flatMap((line) => line.split(' ')),
);

/** Models from 4.7 on take no sampling parameters and continue no begun answer. */
const newest = /^claude-(opus-4-[78]|(opus|sonnet|haiku|fable)-5)/;
const refusesForcedTools = /^claude-(opus-5-5|sonnet-5-5|fable-5-[12])/;

export function checkRequest(body: unknown): asserts body is JsonObject {
  if (!isObject(body)) refuse('The request body is not valid JSON');
  for (const name of ['model', 'messages', 'max_tokens'])
    if (!(name in body)) refuse(`${name}: Field required`);
  const unknown = unknownKey(body, known);
  if (unknown !== undefined) refuse(`${unknown}: Extra inputs are not permitted`);
  const model = textOf(body.model);
  if (!model.startsWith('claude-')) refuse(`model: ${model}`, 404, 'not_found_error');
  if (!Array.isArray(body.messages) || body.messages.length === 0) {
    refuse('messages: at least one message is required');
  }
  checkNumbers(body, model);
  checkSystem(body.system);
  checkMessages(objectsOf(body.messages), newest.test(model));
  checkTools(body, model);
  checkThinking(body, model, newest.test(model));
  checkOutput(objectOf(body.output_config), model);
}

function checkNumbers(body: JsonObject, model: string): void {
  const { temperature, top_p, top_k, max_tokens } = body;
  if ((numberOf(max_tokens) ?? 0) < 1) refuse('max_tokens: Input should be greater than or equal to 1');
  for (const [name, value] of Object.entries({ temperature, top_p })) {
    if (value === undefined) continue;
    if (newest.test(model)) refuse(`\`${name}\` is deprecated for this model.`);
    const number = numberOf(value) ?? -1;
    if (number < 0 || number > 1) refuse(`${name}: range: 0..1`);
  }
  const { service_tier: tier = 'auto' } = body;
  if (tier !== 'auto' && tier !== 'standard_only')
    refuse("service_tier: Input should be 'auto' or 'standard_only'");
  if (top_k !== undefined) {
    if (newest.test(model)) refuse('`top_k` is deprecated for this model.');
    if ((numberOf(top_k) ?? -1) < 0) refuse('top_k: Input should be greater than or equal to 0');
  }
  for (const stop of textsOf(body.stop_sequences)) {
    if (stop.trim() === '') refuse('stop_sequences: each stop sequence must contain non-whitespace');
  }
}

function checkSystem(system: unknown): void {
  for (const [index, block] of objectsOf(system).entries()) {
    if (textOf(block.text).trim() === '') refuse(`system.${index}: text content blocks must be non-empty`);
  }
}

function checkTools(body: JsonObject, model: string): void {
  const tools = objectsOf(body.tools);
  for (const [index, tool] of tools.entries()) {
    if (isWebSearch(tool)) {
      checkWebSearch(tool, `tools.${index}.${textOf(tool.type)}`);
      continue;
    }
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(textOf(tool.name))) {
      refuse(`tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    }
    if (objectOf(tool.input_schema).type !== 'object') {
      refuse(`tools.${index}.custom.input_schema.type: Field required`);
    }
  }
  if (body.tool_choice === undefined) return;
  if (tools.length === 0) refuse('tool_choice: may only be specified while providing `tools`');
  const { type } = objectOf(body.tool_choice);
  const forced = type === 'any' || type === 'tool';
  if (forced && refusesForcedTools.test(model))
    refuse(`tool_choice: '${type}' is not supported by this model`);
  if (forced && objectOf(body.thinking).type === 'enabled') {
    refuse('Thinking may not be enabled when tool_choice forces tool use.');
  }
}

const knownOfWebSearch = new Set(
  'type name max_uses allowed_domains blocked_domains user_location cache_control'.split(' '),
);

function checkWebSearch(tool: JsonObject, path: string): void {
  const unknown = unknownKey(tool, knownOfWebSearch);
  if (unknown !== undefined) refuse(`${path}.${unknown}: Extra inputs are not permitted`);
  if (tool.name !== 'web_search') refuse(`${path}.name: Input should be 'web_search'`);
  if ('allowed_domains' in tool && 'blocked_domains' in tool) {
    refuse(`${path}: only one of \`allowed_domains\` and \`blocked_domains\` can be specified`);
  }
  const { user_location: location } = tool;
  if (location !== undefined && objectOf(location).type !== 'approximate') {
    refuse(`${path}.user_location.type: Input should be 'approximate'`);
  }
}

function checkOutput({ effort, format }: JsonObject, model: string): void {
  if (effort === 'xhigh' && /-4-[56]/.test(model)) {
    refuse("This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.");
  }
  if (effort !== undefined && !/^(low|medium|high|xhigh|max)$/.test(textOf(effort))) {
    refuse("output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'");
  }
  if (format !== undefined) checkSchema(objectOf(objectOf(format).schema));
}

function checkSchema(schema: JsonObject): void {
  if (schema.type === 'object' && schema.additionalProperties !== false) {
    refuse(
      "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
    );
  }
  for (const name of ['minimum', 'maximum', 'minLength', 'maxLength']) {
    if (name in schema) refuse(`output_config.format.schema: property '${name}' is not supported`);
  }
  const inner = [...Object.values(objectOf(schema.properties)), ...Object.values(objectOf(schema.$defs))];
  for (const one of [...inner, schema.items, ...listOf(schema.anyOf)]) if (isObject(one)) checkSchema(one);
}
