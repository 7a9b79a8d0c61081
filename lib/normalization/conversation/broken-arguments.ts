/**
 * Tool calls of a conversation whose arguments are no JSON object: the model was cut off, or wrote them wrong. Where a protocol
 * carries arguments as an object, they are sent inside one.
 *
 * Source of the key: platform.claude.com, "Fine-grained tool streaming", on invalid JSON in tool responses.
 */
import { isJsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { pathOf } from '../../core/generation/original/source.ts';
import type { AssistantMessage, ToolCall } from '../../core/generation/request.ts';
import { type Change, type ConversationRule, overridden } from '../rule.ts';
import { characters } from './summarize.ts';

export const wrapBrokenArguments: ConversationRule = {
  apply: (given) => {
    const changes: Change[] = [];
    const messages = given.map((message) =>
      message.role === 'assistant' && message.toolCalls.some(isBroken) ? wrapped(message, changes) : message,
    );
    return changes.length > 0 ? { messages, changes } : undefined;
  },
};

/** Blank arguments mean none. */
function isBroken({ arguments: text }: ToolCall): boolean {
  return text.trim() !== '' && !isJsonObject(parseJson(text));
}

/** `changes`: the records of what is wrapped are added here. */
function wrapped(message: AssistantMessage, changes: Change[]): AssistantMessage {
  const toolCalls = message.toolCalls.map((call): ToolCall => {
    if (!isBroken(call)) return call;
    changes.push(
      overridden(
        pathOf(call, 'arguments'),
        characters(call.arguments.length),
        'INVALID_JSON',
        'The arguments are not a JSON object. They are sent as the text of a field INVALID_JSON.',
      ),
    );
    return { ...call, arguments: JSON.stringify({ INVALID_JSON: call.arguments }) };
  });
  return { ...message, toolCalls };
}
