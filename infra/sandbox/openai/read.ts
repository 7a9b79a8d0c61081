/**
 * Reads a chat request of the OpenAI protocol.
 */
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import type { Prompt } from '../exchange.ts';
import { listOf, numberOf, objectOf, objectsOf, textOf, textsOf } from '../json.ts';

export function readChat(body: JsonObject, provider: string, reasoning: boolean): Prompt {
  const messages = objectsOf(body.messages);
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const user = messages.filter(({ role }) => role === 'user');
  const parts = user.flatMap(({ content }) => objectsOf(content));
  return {
    provider,
    model: textOf(body.model),
    lastUserText: contentText(user.at(-1)?.content),
    toolResults:
      messages.at(-1)?.role === 'tool'
        ? messages.slice(last + 1).map(({ content }) => contentText(content))
        : [],
    turns: messages.filter(({ role }) => role === 'assistant').length,
    callRounds: callRounds(messages),
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

function callRounds(messages: readonly JsonObject[]): number {
  const answers = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  return answers.filter((message) => listOf(message.tool_calls).length > 0).length;
}

function messageText(message: JsonObject): string {
  return contentText(message.content) + JSON.stringify(message.tool_calls ?? '');
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map(({ text }) => textOf(text))
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
