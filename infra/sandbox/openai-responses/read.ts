/**
 * Reads a request of the Responses protocol.
 */
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import type { Prompt, SandboxTool } from '../exchange.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../json.ts';
import { withType } from './check-input.ts';
import { isWebSearch } from './check-tools.ts';

export function readResponses(body: JsonObject, provider: string, reasoning: boolean): Prompt {
  const items = itemsOf(body.input);
  const user = items.filter(({ role }) => role === 'user');
  const parts = user.flatMap(({ content }) => objectsOf(content));
  const tools = [...objectsOf(body.tools), ...items.flatMap((item) => objectsOf(item.tools))];
  const results = items.slice(items.findLastIndex(({ type }) => !isResult(type)) + 1);
  return {
    provider,
    model: textOf(body.model),
    lastUserText: user.map(({ content }) => contentText(content)).findLast((text) => text !== '') ?? '',
    toolResults: results.map(({ output }) => contentText(output)),
    turns: items.filter(({ role }) => role === 'assistant').length + callRounds(items),
    callRounds: callRounds(items),
    images: parts.filter(({ type }) => type === 'input_image').length,
    files: parts.filter(({ type }) => type === 'input_file').length,
    input:
      textOf(body.instructions) +
      items.map(itemText).join('') +
      (tools.length > 0 ? JSON.stringify(tools) : ''),
    tools: tools.flatMap(readTool),
    toolChoice: readToolChoice(body.tool_choice),
    parallel: body.parallel_tool_calls !== false,
    format: readFormat(objectOf(objectOf(body.text).format)),
    reasoning,
    search: tools.some(isWebSearch) && maySearch(body.tool_choice),
    maxTokens: numberOf(body.max_output_tokens),
    stop: [],
  };
}

const isResult = (type: unknown) => /^(function|custom_tool)_call_output$/.test(textOf(type));

/** A function, a custom tool, or all of a namespace. */
function readTool({ type, name, tools, parameters }: JsonObject): readonly SandboxTool[] {
  if (type === 'namespace') {
    return objectsOf(tools).flatMap((tool) =>
      readTool(tool).map((one) => ({ ...one, namespace: textOf(name) })),
    );
  }
  if (type !== 'function' && type !== 'custom') return [];
  return [{ name: textOf(name), schema: objectOf(parameters), isCustom: type === 'custom' }];
}

function itemsOf(input: unknown): readonly JsonObject[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  return objectsOf(input).map(withType);
}

/** Results in a row are those of one round. */
function callRounds(items: readonly JsonObject[]): number {
  const since = items.slice(items.findLastIndex(({ role }) => role === 'user') + 1);
  const results = since.map(({ type }) => /_call_output$/.test(textOf(type)));
  return results.filter((result, index) => result && !results[index - 1]).length;
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map(({ text }) => textOf(text))
    .join('');
}

/** Reasoning that comes back is not counted. */
function itemText({ type, content, name, arguments: text, input, output }: JsonObject): string {
  if (type === 'message') return contentText(content);
  if (type === 'function_call' || type === 'custom_tool_call')
    return `${textOf(name)}${textOf(text ?? input)}`;
  return isResult(type) ? contentText(output) : '';
}

/** If it must search, the model calls no function. */
function readToolChoice(choice: unknown): Prompt['toolChoice'] {
  if (choice === 'none' || choice === 'required') return choice;
  if (isWebSearch(objectOf(choice))) return 'none';
  const name = textOf(objectOf(choice).name);
  return name === '' ? 'auto' : { name };
}

function maySearch(choice: unknown): boolean {
  return choice !== 'none' && objectOf(choice).type !== 'function';
}

function readFormat({ type, schema }: JsonObject): Prompt['format'] {
  if (type === 'json_schema') return { schema: objectOf(schema) };
  return type === 'json_object' ? 'json' : 'text';
}
