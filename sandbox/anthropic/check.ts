/** What the Anthropic protocol refuses in a request, besides its messages. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { isObject, listOf, numberOf, objectOf, objectsOf, textOf, textsOf } from '../json.ts';
import { type BlockKind, type LoopMessage, unthoughtLoop } from '../thinking-loop.ts';
import { checkMessages } from './check-messages.ts';
import { checkTools } from './check-tools.ts';
import { refuse } from './refuse.ts';
import { checkFields, type Terms } from './terms.ts';

/** Models from 4.7 on take no sampling parameters and continue no begun answer. */
const newest = /^claude-(opus-4-[78]|(opus|sonnet|haiku|fable)-5)/;

/** Source: platform.claude.com, "Mid-conversation system messages". */
const takesSystem = /^claude-(opus-4-8|(opus|sonnet|haiku|fable|mythos)-5)/;

export function checkRequest(body: unknown, terms: Terms): asserts body is JsonObject {
  if (!isObject(body)) refuse('The request body is not valid JSON');
  for (const name of ['model', 'messages', 'max_tokens'])
    if (!(name in body)) refuse(`${name}: Field required`);
  checkFields(body, terms);
  const model = textOf(body.model);
  if (!model.startsWith('claude-')) refuse(`model: ${model}`, 404, 'not_found_error');
  if (!Array.isArray(body.messages) || body.messages.length === 0) {
    refuse('messages: at least one message is required');
  }
  checkNumbers(body, model);
  checkSystem(body.system);
  checkMessages(objectsOf(body.messages), {
    terms,
    endsWithUser: newest.test(model),
    takesSystem: takesSystem.test(model),
    tools: new Set(objectsOf(body.tools).map(({ name }) => textOf(name))),
  });
  checkTools(body, model);
  checkThinking(body, model, newest.test(model));
  checkOutput(objectOf(body.output_config), model);
  checkSpeed(body);
}

function checkSpeed({ speed, output_config, messages }: JsonObject): void {
  if (speed !== undefined && speed !== null && speed !== 'standard' && speed !== 'fast') {
    refuse("speed: Input should be 'standard' or 'fast'");
  }
  const cites = objectsOf(messages)
    .flatMap(({ content }) => objectsOf(content))
    .some(({ type, citations }) => type === 'document' && objectOf(citations).enabled === true);
  if (cites && isObject(objectOf(output_config).format)) {
    refuse('citations: not supported together with output_config.format');
  }
}

function checkNumbers(body: JsonObject, model: string): void {
  const { temperature, top_p, top_k, max_tokens } = body;
  // Source: `max_tokens` in @anthropic-ai/sdk 1.12.0: 0 fills the cache and generates nothing.
  if ((numberOf(max_tokens) ?? -1) < 0) refuse('max_tokens: Input should be greater than or equal to 0');
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
    if (block.type !== 'text') refuse(`system.${index}.type: Input should be 'text'`);
    if (textOf(block.text).trim() === '') refuse(`system.${index}: text content blocks must be non-empty`);
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

const adaptive = /^claude-((opus|sonnet)-4-[678]|(opus|sonnet|haiku|fable|mythos)-5)/;

const types = new Set(['enabled', 'adaptive', 'disabled', 'between_tools']);

/** `onlyAdaptive`: whether the model takes no budget. */
function checkThinking(body: JsonObject, model: string, onlyAdaptive: boolean): void {
  const { type, budget_tokens } = objectOf(body.thinking);
  if (type !== undefined && !types.has(textOf(type))) {
    refuse(
      `thinking: Input tag '${textOf(type)}' found using 'type' does not match any of the expected tags`,
    );
  }
  if (type === 'adaptive' && !adaptive.test(model))
    refuse('adaptive thinking is not supported on this model');
  if (type !== 'enabled') return;
  if (onlyAdaptive) refuse('"thinking.type.enabled" is not supported for this model. Use "adaptive".');
  const unthought = unthoughtLoop(objectsOf(body.messages).map(toLoopMessage));
  if (unthought !== undefined) refuse(unthought);
  const budget = numberOf(budget_tokens) ?? 0;
  if (budget < 1_024) refuse('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
  if (budget >= (numberOf(body.max_tokens) ?? 0)) {
    refuse('`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
  if (body.top_k !== undefined) refuse('`top_k` must be unset when thinking is enabled.');
  const { temperature } = body;
  if (temperature !== undefined && temperature !== 1) {
    refuse('`temperature` may only be set to 1 when thinking is enabled.');
  }
}

const kinds = new Map<string, BlockKind>([
  ['thinking', 'thinking'],
  ['redacted_thinking', 'thinking'],
  ['tool_use', 'call'],
  ['tool_result', 'result'],
]);

/** A content that is only a text has no blocks. */
function toLoopMessage({ role, content }: JsonObject): LoopMessage {
  const blocks = typeof content === 'string' ? [{ type: 'text' }] : objectsOf(content);
  return { role, kinds: blocks.map(({ type }) => kinds.get(textOf(type)) ?? 'other') };
}
