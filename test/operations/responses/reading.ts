/** Reads a request to the Responses API as the gateway does, without running a gateway. */
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import type { AssistantMessage, GenerationRequest, Message } from '../../../lib/core/generation/request.ts';
import { validate } from '../../../lib/http/request/validate.ts';
import type { ConversationItem, InputItem } from '../../../lib/operations/responses/read/item.ts';
import { type ResponsesInput, readResponses } from '../../../lib/operations/responses/read/read.ts';
import { readConversation } from '../../../lib/operations/responses/read/read-items.ts';
import { responsesSchema } from '../../../lib/operations/responses/read/schema.ts';

/** Adds the required fields that the body omits. */
export function read(body: object): ResponsesInput {
  return readResponses(validate(responsesSchema, { model: 'owner/model', input: 'Hi.', ...body }));
}

/** The same without the caller's paths. */
export function readPlain(body: object): ResponsesInput {
  const { request, ...input } = structuredClone(read(body));
  const { parameterPaths: _, ...plain } = request;
  return { ...input, request: plain };
}

/** The error for a rejected body. */
export function refusalOf(body: object): { readonly param: string | null; readonly message: string } {
  try {
    read(body);
  } catch (error) {
    if (error instanceof GatewayError && error.status === 400) return error;
    throw error;
  }
  throw new Error('The body was not refused.');
}

/** The conversation of a request without references. */
export function converse(body: object, earlier: readonly ConversationItem[] = []): GenerationRequest {
  const input = read(body);
  const messages = readConversation(input, { earlier, items: input.items.map(self) });
  return { ...input.request, messages };
}

/** The messages of an input, without the caller's paths. */
export const messagesOf = (input: unknown): readonly Message[] =>
  structuredClone(converse({ input }).messages);

/** The only assistant message of these items. */
export function turnOf(...items: readonly object[]): AssistantMessage {
  const [turn, ...others] = messagesOf(items);
  if (turn?.role === 'assistant' && others.length === 0) return turn;
  throw new Error('The items are not one turn of the model.');
}

function self(item: InputItem): ConversationItem {
  if (item.type !== 'item_reference') return item;
  throw new Error('The item is only a reference.');
}
