/** Reads a request of the Responses protocol. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { Prompt, SandboxTool } from '../exchange.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../json.ts';
import { roundOf, type Turn } from '../round.ts';
import { withType } from './check-input.ts';
import { isWebSearch } from './check-tools.ts';

export function readResponses(body: JsonObject, provider: string, reasoning: boolean): Prompt {
  const items = itemsOf(body.input);
  const user = items.filter(({ role }) => role === 'user');
  const parts = user.flatMap(({ content }) => objectsOf(content));
  const tools = [...objectsOf(body.tools), ...items.flatMap((item) => objectsOf(item.tools))];
  // Instructions may follow the results of tools.
  const end = items.findLastIndex(({ role }) => role !== 'system' && role !== 'developer') + 1;
  const said = items.slice(0, end);
  const results = said.slice(said.findLastIndex(({ type }) => !isResult(type)) + 1);
  const turns = items.map(toTurn);
  return {
    provider,
    model: textOf(body.model),
    toolResults: results.map(({ output }) => contentText(output)),
    turns: items.filter(({ role }) => role === 'assistant').length + roundOf(turns).callRounds,
    ...roundOf(turns),
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

/** Calls in a row are those of one round, so the first of their results stands for them. */
function toTurn({ type, role, content }: JsonObject, index: number, items: readonly JsonObject[]): Turn {
  const isOutput = (item: JsonObject | undefined) => /_call_output$/.test(textOf(item?.type));
  if (role === 'user') return { from: 'user', text: contentText(content) };
  if (isOutput(items[index])) {
    return { from: 'other', text: '', calls: !isOutput(items[index - 1]), results: true };
  }
  const isOther = role === 'system' || role === 'developer';
  return { from: isOther || type === undefined ? 'other' : 'model', text: '' };
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
