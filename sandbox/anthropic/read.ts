/** Reads a request of the Anthropic protocol. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { Prompt } from '../exchange.ts';
import { isObject, numberOf, objectOf, objectsOf, textOf, textsOf } from '../json.ts';
import { roundOf, type Turn } from '../round.ts';

export function readMessages(body: JsonObject, provider: string): Prompt {
  const messages = objectsOf(body.messages);
  const user = messages.filter(({ role }) => role === 'user');
  // Instructions may follow the results of tools.
  const results = blocks(messages.findLast(({ role }) => role !== 'system')).filter(
    ({ type }) => type === 'tool_result',
  );
  // Results of tools have blocks of their own.
  const shown = user.flatMap(blocks).flatMap((block) => [block, ...blocks(block)]);
  const choice = objectOf(body.tool_choice);
  const { format } = objectOf(body.output_config);
  return {
    provider,
    model: textOf(body.model),
    toolResults: results.map(({ content }) => textsIn({ content })),
    turns: messages.filter(({ role }) => role === 'assistant').length,
    ...roundOf(messages.map(toTurn)),
    images: shown.filter(({ type }) => type === 'image').length,
    files: shown.filter(({ type }) => type === 'document').length,
    input: textsIn({ content: body.system }) + messages.map(messageText).join('') + toolText(body),
    tools: objectsOf(body.tools)
      .filter((tool) => !isWebSearch(tool))
      .map(({ name, input_schema }) => ({ name: textOf(name), schema: objectOf(input_schema) })),
    toolChoice: readToolChoice(choice),
    parallel: choice.disable_parallel_tool_use !== true,
    format: isObject(format) ? { schema: objectOf(format.schema) } : 'text',
    reasoning: ['enabled', 'adaptive', 'between_tools'].includes(textOf(objectOf(body.thinking).type)),
    search: objectsOf(body.tools).some(isWebSearch) && maySearch(choice),
    maxTokens: numberOf(body.max_tokens),
    stop: textsOf(body.stop_sequences),
  };
}

function toTurn(message: JsonObject): Turn {
  const has = (kind: string) => blocks(message).some(({ type }) => type === kind);
  return {
    from: turnsOf[textOf(message.role)] ?? 'other',
    text: textsIn(message),
    calls: has('tool_use'),
    results: has('tool_result'),
  };
}

const turnsOf: Readonly<Record<string, Turn['from']>> = { user: 'user', assistant: 'model' };

function blocks(message: JsonObject | undefined): readonly JsonObject[] {
  return objectsOf(message?.content);
}

/** The text blocks of a content, or the content itself where it is a text. */
function textsIn(message: JsonObject | undefined): string {
  if (typeof message?.content === 'string') return message.content;
  return blocks(message)
    .map(({ text }) => textOf(text))
    .join('');
}

function messageText(message: JsonObject): string {
  const other = blocks(message).filter(({ type }) => type === 'tool_use' || type === 'tool_result');
  return textsIn(message) + (other.length > 0 ? JSON.stringify(other) : '');
}

function toolText({ tools }: JsonObject): string {
  return tools === undefined ? '' : JSON.stringify(tools);
}

export function isWebSearch({ type }: JsonObject): boolean {
  return /^web_search_\d{8}$/.test(textOf(type));
}

function maySearch({ type, name }: JsonObject): boolean {
  return type === 'tool' ? name === 'web_search' : type !== 'none';
}

function readToolChoice({ type, name }: JsonObject): Prompt['toolChoice'] {
  if (type === 'tool') return { name: textOf(name) };
  if (type === 'any') return 'required';
  return type === 'none' ? 'none' : 'auto';
}
