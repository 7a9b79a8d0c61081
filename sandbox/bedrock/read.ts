/** Reads a request of the Bedrock protocol. */

import { parseJson } from '../../lib/core/formats/parse-json.ts';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { Prompt, SandboxTool } from '../exchange.ts';
import { isObject, numberOf, objectOf, objectsOf, textOf, textsOf } from '../json.ts';
import { roundOf, type Turn } from '../round.ts';

export function readConverse(body: JsonObject, model: string, provider: string): Prompt {
  const messages = objectsOf(body.messages);
  const inference = objectOf(body.inferenceConfig);
  const { tools, toolChoice } = objectOf(body.toolConfig);
  const user = messages.filter(({ role }) => role === 'user');
  const specs = objectsOf(tools).filter((tool) => 'toolSpec' in tool);
  return {
    provider,
    model,
    toolResults: blocksOf(messages.at(-1), 'toolResult').map(resultText),
    turns: messages.filter(({ role }) => role === 'assistant').length,
    ...roundOf(messages.map(toTurn)),
    images: user.flatMap((message) => blocksOf(message, 'image')).length,
    files: user.flatMap((message) => blocksOf(message, 'document')).length,
    input: textsIn({ content: body.system }) + messages.map(messageText).join('') + JSON.stringify(specs),
    tools: specs
      .map(({ toolSpec }) => objectOf(toolSpec))
      .filter(mayBeCalled)
      .map(readTool),
    toolChoice: readToolChoice(objectOf(toolChoice)),
    parallel: true,
    format: readFormat(body),
    reasoning: thinks(objectOf(body.additionalModelRequestFields)),
    search: false,
    maxTokens: numberOf(inference.maxTokens),
    stop: textsOf(inference.stopSequences),
  };
}

function toTurn(message: JsonObject): Turn {
  const has = (kind: string) => blocksOf(message, kind).length > 0;
  return {
    from: message.role === 'user' ? 'user' : 'model',
    text: textsIn(message),
    calls: has('toolUse'),
    results: has('toolResult'),
  };
}

function blocksOf(message: JsonObject | undefined, type: string): readonly JsonObject[] {
  return objectsOf(message?.content).flatMap((block) => (type in block ? [objectOf(block[type])] : []));
}

function textsIn(message: JsonObject | undefined): string {
  return objectsOf(message?.content)
    .map(({ text }) => textOf(text))
    .join('');
}

function resultText(result: JsonObject): string {
  const parts = objectsOf(result.content);
  return parts.map(({ text, json }) => (json === undefined ? textOf(text) : JSON.stringify(json))).join('');
}

function messageText(message: JsonObject): string {
  const blocks = [...blocksOf(message, 'toolUse'), ...blocksOf(message, 'toolResult')];
  return textsIn(message) + (blocks.length > 0 ? JSON.stringify(blocks) : '');
}

/** A model follows the description of a tool. */
function mayBeCalled({ description }: JsonObject): boolean {
  return !/\bcannot be called\b/i.test(textOf(description));
}

function readTool({ name, inputSchema }: JsonObject): SandboxTool {
  return { name: textOf(name), schema: objectOf(objectOf(inputSchema).json) };
}

function readToolChoice(choice: JsonObject): Prompt['toolChoice'] {
  if (isObject(choice.tool)) return { name: textOf(choice.tool.name) };
  return 'any' in choice ? 'required' : 'auto';
}

/** The schema is sent as JSON text. */
function readFormat(body: JsonObject): Prompt['format'] {
  const { type, structure } = objectOf(objectOf(body.outputConfig).textFormat);
  if (type !== 'json_schema') return 'text';
  const { schema } = objectOf(objectOf(structure).jsonSchema);
  return { schema: objectOf(typeof schema === 'string' ? parseJson(schema) : schema) };
}

/** Each model family has its own field for it. */
function thinks(fields: JsonObject): boolean {
  const efforts = [fields.reasoning_effort, objectOf(fields.reasoning).effort];
  if (efforts.some((effort) => effort !== undefined && effort !== 'none')) return true;
  const types = [objectOf(fields.thinking).type, objectOf(fields.reasoningConfig).type];
  return types.some((type) => type !== undefined && type !== 'disabled');
}
