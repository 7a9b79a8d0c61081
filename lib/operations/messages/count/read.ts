/** Reads a valid body of the count of tokens: that of a message, which may lack `max_tokens`. */
import * as z from 'zod/mini';
import type { ReadHeader } from '../../../core/endpoint.ts';
import { tokenCount } from '../../request-schema.ts';
import { type MessagesInput, readMessages } from '../read/read.ts';
import { messagesSchema } from '../read/schema.ts';

export const countSchema = z.extend(messagesSchema, { max_tokens: tokenCount });

/** Nothing is generated, so no limit applies, not even that of a thinking budget. */
const unlimited = { max_tokens: Number.MAX_SAFE_INTEGER, stream: false };

export function readCount(
  body: z.infer<typeof countSchema>,
  given: unknown = body,
  header?: ReadHeader,
): MessagesInput {
  const input = readMessages({ ...body, ...unlimited }, given, header);
  const { max_completion_tokens: _, ...parameters } = input.request.parameters;
  return { ...input, request: { ...input.request, parameters } };
}
