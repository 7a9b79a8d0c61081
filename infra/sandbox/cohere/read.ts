/**
 * Reads a chat request of the Cohere protocol.
 */
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import type { Prompt } from '../exchange.ts';
import { isObject, listOf, numberOf, objectOf, objectsOf, textOf, textsOf } from '../json.ts';

export function readChat(body: JsonObject, provider: string): Prompt {
  const messages = objectsOf(body.messages);
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const user = messages.filter(({ role }) => role === 'user');
  const { type } = objectOf(body.thinking);
  const model = textOf(body.model);
  return {
    provider,
    model,
    lastUserText: contentText(user.at(-1)?.content),
    toolResults:
      messages.at(-1)?.role === 'tool'
        ? messages.slice(last + 1).map(({ content }) => contentText(content))
        : [],
    turns: messages.filter(({ role }) => role === 'assistant').length,
    callRounds: callRounds(messages),
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

function callRounds(messages: readonly JsonObject[]): number {
  const answers = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  return answers.filter((message) => listOf(message.tool_calls).length > 0).length;
}

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
