/** Reads a chat request of the OpenAI protocol. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { Prompt } from '../exchange.ts';
import { listOf, numberOf, objectOf, objectsOf, textOf, textsOf } from '../json.ts';
import { roundOf, type Turn } from '../round.ts';

export function readChat(body: JsonObject, provider: string, reasoning: boolean): Prompt {
  const messages = objectsOf(body.messages);
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  // Instructions may follow the results of tools.
  const lastSaid = messages.findLast(({ role }) => role !== 'system' && role !== 'developer');
  const results = messages.slice(last + 1).filter(({ role }) => role === 'tool');
  const user = messages.filter(({ role }) => role === 'user');
  const parts = user.flatMap(({ content }) => objectsOf(content));
  return {
    provider,
    model: textOf(body.model),
    toolResults: lastSaid?.role === 'tool' ? results.map(({ content }) => contentText(content)) : [],
    turns: messages.filter(({ role }) => role === 'assistant').length,
    ...roundOf(messages.map(toTurn)),
    images: parts.filter(({ type }) => type === 'image_url').length,
    files: parts.filter(({ type }) => type === 'file').length,
    input: messages.map(messageText).join('') + JSON.stringify(body.tools ?? ''),
    tools: objectsOf(body.tools).map((tool) => {
      const { name, parameters } = objectOf(tool.custom ?? tool.function);
      return { name: textOf(name), schema: objectOf(parameters), isCustom: tool.type === 'custom' };
    }),
    toolChoice: readToolChoice(body.tool_choice),
    parallel: body.parallel_tool_calls !== false,
    format: readFormat(objectOf(body.response_format)),
    reasoning,
    search: false,
    maxTokens: numberOf(body.max_completion_tokens) ?? numberOf(body.max_tokens),
    stop: textsOf(body.stop),
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

function messageText(message: JsonObject): string {
  return contentText(message.content) + JSON.stringify(message.tool_calls ?? '');
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  // Cohere has documents in results.
  return objectsOf(content)
    .map(({ text, document }) => textOf(text) || textOf(objectOf(document).data))
    .join('');
}

function readToolChoice(choice: unknown): Prompt['toolChoice'] {
  // Mistral calls it `any`.
  if (choice === 'any') return 'required';
  if (choice === 'none' || choice === 'required') return choice;
  const { custom, function: called } = objectOf(choice);
  const name = textOf(objectOf(custom ?? called).name);
  return name === '' ? 'auto' : { name };
}

function readFormat({ type, json_schema }: JsonObject): Prompt['format'] {
  if (type === 'json_schema') return { schema: objectOf(objectOf(json_schema).schema) };
  return type === 'json_object' ? 'json' : 'text';
}
