/** What the Bedrock protocol refuses in a request, besides its messages. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { checkKeys, isObject, isOutside, objectOf, objectsOf, textOf, wordSet } from '../json.ts';
import { type BlockKind, type LoopMessage, unthoughtLoop } from '../thinking-loop.ts';
import { checkMessages, hasToolBlocks } from './check-messages.ts';
import { refuse } from './refuse.ts';

const known = wordSet(
  'messages system inferenceConfig toolConfig guardrailConfig additionalModelRequestFields',
  'promptVariables additionalModelResponseFieldPaths requestMetadata performanceConfig',
  'serviceTier outputConfig',
);

const knownInference = new Set(['maxTokens', 'temperature', 'topP', 'stopSequences']);

/** What the models take beside the fields of the protocol; Amazon's own name `top_k` otherwise. */
const knownModelFields = wordSet(
  'thinking output_config anthropic_beta reasoning_effort reasoning reasoningConfig',
);

const samplingField = (model: string) => (model.includes('amazon.') ? 'inferenceConfig' : 'top_k');

const inferenceRanges: readonly (readonly [name: string, low: number, high: number])[] = [
  ['temperature', 0, 1],
  ['topP', 0, 1],
  ['maxTokens', 1, Number.POSITIVE_INFINITY],
];

const noSampling = /anthropic\.claude-(opus-4-[78]|(opus|sonnet|haiku|fable)-5)/;

export function checkRequest(body: unknown, model: string): asserts body is JsonObject {
  if (!isObject(body)) refuse('Unexpected end of JSON input.', 400, 'SerializationException');
  checkKeys(body, known, (unknown) => refuse(`The request has an unknown field: ${unknown}`));
  const messages = objectsOf(body.messages);
  checkInference(objectOf(body.inferenceConfig), model);
  const modelFields = new Set([...knownModelFields, samplingField(model)]);
  checkKeys(objectOf(body.additionalModelRequestFields), modelFields, (extraneous) =>
    refuse(`Malformed input request: extraneous key [${extraneous}] is not permitted`),
  );
  checkMessages(messages);
  for (const [index, block] of objectsOf(body.system).entries()) {
    if ('text' in block && textOf(block.text).trim() === '') {
      refuse(`The text field in the SystemContentBlock object at system.${index} is blank.`);
    }
  }
  checkTools(body, messages);
  checkThinking(body, messages);
}

const kinds = new Map<string, BlockKind>([
  ['reasoningContent', 'thinking'],
  ['toolUse', 'call'],
  ['toolResult', 'result'],
]);

function checkThinking(body: JsonObject, messages: readonly JsonObject[]): void {
  const { thinking } = objectOf(body.additionalModelRequestFields);
  if (objectOf(thinking).type !== 'enabled') return;
  const unthought = unthoughtLoop(messages.map(toLoopMessage));
  if (unthought !== undefined) refuse(`The model returned the following errors: ${unthought}`);
}

/** A cache point is beside the blocks. */
function toLoopMessage({ role, content }: JsonObject): LoopMessage {
  const types = objectsOf(content).flatMap((block) => ('cachePoint' in block ? [] : Object.keys(block)));
  return { role, kinds: types.map((type) => kinds.get(type) ?? 'other') };
}

function checkInference(config: JsonObject, model: string): void {
  checkKeys(config, knownInference, (unknown) =>
    refuse(`The request has an unknown field: inferenceConfig.${unknown}`),
  );
  for (const [name, low, high] of inferenceRanges) {
    if (!(name in config)) continue;
    if (isOutside(config[name], low, high)) {
      refuse(`1 validation error detected: Value at 'inferenceConfig.${name}' failed to satisfy constraint`);
    }
    if (name !== 'maxTokens' && noSampling.test(model)) {
      refuse(`The model returned the following errors: \`${name}\` is deprecated for this model.`);
    }
  }
}

function checkTools(body: JsonObject, messages: readonly JsonObject[]): void {
  if (body.toolConfig === undefined) {
    if (!hasToolBlocks(messages)) return;
    refuse('The toolConfig field must be defined when using toolUse and toolResult content blocks.');
  }
  const tools = objectsOf(objectOf(body.toolConfig).tools);
  if (tools.length === 0)
    refuse("1 validation error detected: Value at 'toolConfig.tools' has too few members");
  for (const [index, tool] of tools.entries()) checkTool(tool, `toolConfig.tools.${index}`);
}

function checkTool(tool: JsonObject, path: string): void {
  if ('cachePoint' in tool) return;
  const { name, description, inputSchema } = objectOf(tool.toolSpec);
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(textOf(name))) {
    refuse(`1 validation error detected: Value at '${path}.toolSpec.name' failed to satisfy constraint`);
  }
  if (description === '') {
    refuse(`1 validation error detected: Value at '${path}.toolSpec.description' has a length below 1`);
  }
  if (objectOf(objectOf(inputSchema).json).type !== 'object') {
    refuse(`The value at ${path}.toolSpec.inputSchema.json.type must be one of the following: object.`);
  }
}
