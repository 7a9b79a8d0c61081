/**
 * Reads a chat request of the Cohere protocol.
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { Prompt } from '../exchange.ts';
import { isObject, listOf, numberOf, objectOf, objectsOf, textOf, textsOf } from '../json.ts';
import { roundOf, type Turn } from '../round.ts';

export function readChat(body: JsonObject, provider: string): Prompt {
  const messages = objectsOf(body.messages);
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  // Instructions may follow the results of tools.
  const lastSaid = messages.findLast(({ role }) => role !== 'system' && role !== 'developer');
  const results = messages.slice(last + 1).filter(({ role }) => role === 'tool');
  const user = messages.filter(({ role }) => role === 'user');
  const { type } = objectOf(body.thinking);
  const model = textOf(body.model);
  return {
    provider,
    model,
    toolResults: lastSaid?.role === 'tool' ? results.map(({ content }) => contentText(content)) : [],
    turns: messages.filter(({ role }) => role === 'assistant').length,
    ...roundOf(messages.map(toTurn)),
    images: user.flatMap(({ content }) => objectsOf(content)).filter((part) => part.type === 'image_url')
      .length,
    files: 0,
    input: JSON.stringify(messages) + JSON.stringify(body.tools ?? ''),
    tools: objectsOf(body.tools).map((tool) => {
      const { name, parameters } = objectOf(tool.function);
      return { name: textOf(name), schema: objectOf(parameters) };
    }),
    toolChoice: toolChoices[textOf(body.tool_choice)] ?? 'auto',
    parallel: true,
    format: readFormat(objectOf(body.response_format)),
    // These models think unless it is switched off.
    reasoning: type === 'enabled' || (type === undefined && /reasoning/.test(model)),
    search: false,
    maxTokens: numberOf(body.max_tokens),
    stop: textsOf(body.stop_sequences),
  };
}

function toTurn({ role, content, tool_calls }: JsonObject): Turn {
  return {
    from: turnsOf[textOf(role)] ?? 'other',
    text: contentText(content),
    calls: listOf(tool_calls).length > 0,
    results: role === 'tool',
  };
}

const turnsOf: Readonly<Record<string, Turn['from']>> = { user: 'user', assistant: 'model' };

const toolChoices: Readonly<Record<string, Prompt['toolChoice']>> = { REQUIRED: 'required', NONE: 'none' };

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map(({ text, document }) => textOf(text) || textOf(objectOf(document).data))
    .join('');
}

function readFormat({ type, json_schema }: JsonObject): Prompt['format'] {
  if (type !== 'json_object') return 'text';
  return isObject(json_schema) ? { schema: json_schema } : 'json';
}
