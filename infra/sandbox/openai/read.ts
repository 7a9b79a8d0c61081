/**
 * Reads a chat request of the OpenAI protocol.
 */
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import type { Prompt } from '../exchange.ts';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../json.ts';

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
    images: parts.filter(({ type }) => type === 'image_url').length,
    files: parts.filter(({ type }) => type === 'file').length,
    input: messages.map(messageText).join('') + JSON.stringify(body.tools ?? ''),
    tools: objectsOf(body.tools).map((tool) => {
      const { name, parameters } = objectOf(tool.custom ?? tool.function);
      return { name: textOf(name), schema: objectOf(parameters), isCustom: tool.type === 'custom' };
    }),
    toolChoice: readToolChoice(body.tool_choice),
    parallel: body.parallel_tool_calls !== false,
    format: readFormat(body.response_format, messages),
    reasoning,
    search: false,
    maxTokens: numberOf(body.max_completion_tokens) ?? numberOf(body.max_tokens),
    stop: textsOf(body.stop),
  };
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

function readFormat(format: unknown, messages: readonly JsonObject[]): Prompt['format'] {
  const { type, json_schema } = objectOf(format);
  if (type === 'json_schema') return { schema: objectOf(objectOf(json_schema).schema) };
  const described = describedSchema(messages);
  if (described !== undefined) return { schema: described };
  return type === 'json_object' ? 'json' : 'text';
}

/** A model follows a schema that a system message describes. */
function describedSchema(messages: readonly JsonObject[]): JsonObject | undefined {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => contentText(content));
  const found = /JSON Schema: (\{.*\})/s.exec(system.join('\n'))?.[1];
  return found === undefined ? undefined : objectOf(JSON.parse(found));
}
