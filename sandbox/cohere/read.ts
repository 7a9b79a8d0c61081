/** Reads a chat request of the Cohere protocol, whose messages and tools have the form of OpenAI's. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { Prompt } from '../exchange.ts';
import { isObject, numberOf, objectOf, textOf, textsOf } from '../json.ts';
import { readChat as readOpenai } from '../openai/read.ts';

export function readChat(body: JsonObject, provider: string): Prompt {
  const { type } = objectOf(body.thinking);
  // These models think unless it is switched off.
  const reasoning = type === 'enabled' || (type === undefined && /reasoning/.test(textOf(body.model)));
  return {
    ...readOpenai(body, provider, reasoning),
    input: JSON.stringify(body.messages) + JSON.stringify(body.tools ?? ''),
    toolChoice: toolChoices[textOf(body.tool_choice)] ?? 'auto',
    format: readFormat(objectOf(body.response_format)),
    maxTokens: numberOf(body.max_tokens),
    stop: textsOf(body.stop_sequences),
  };
}

const toolChoices: Readonly<Record<string, Prompt['toolChoice']>> = { REQUIRED: 'required', NONE: 'none' };

function readFormat({ type, json_schema }: JsonObject): Prompt['format'] {
  if (type !== 'json_object') return 'text';
  return isObject(json_schema) ? { schema: json_schema } : 'json';
}
