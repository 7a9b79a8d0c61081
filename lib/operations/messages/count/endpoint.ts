/** `POST /v1/messages/count_tokens`: how many tokens the input of a message has. */
import * as z from 'zod/mini';
import type { Endpoint, ReadHeader } from '../../../core/endpoint.ts';
import { counting } from '../../../pipeline/generation/buffered.ts';
import type { PipelineParts } from '../../../pipeline/parts.ts';
import { countInput } from '../../count-input.ts';
import { refuseDryRun } from '../../read-request.ts';
import { tokenCount } from '../../request-schema.ts';
import { type MessagesInput, readMessages } from '../read/read.ts';
import { messagesSchema } from '../read/schema.ts';

export function countEndpoint(parts: PipelineParts): Endpoint<typeof countSchema, MessagesInput> {
  return {
    schema: countSchema,
    read: readCount,
    ...counting(parts),
    answer: (call) =>
      countInput(parts, 'messages', call.input, {
        call,
        write: ({ inputTokens, others }) => ({ input_tokens: inputTokens, ...others }),
      }),
  };
}

export const countSchema = z.extend(messagesSchema, { max_tokens: tokenCount() });

/** Nothing is generated, so no limit applies, not even that of a thinking budget. */
const unlimited = { max_tokens: Number.MAX_SAFE_INTEGER, stream: false };

export function readCount(
  body: z.infer<typeof countSchema>,
  given: unknown = body,
  header?: ReadHeader,
): MessagesInput {
  refuseDryRun(body);
  const input = readMessages({ ...body, ...unlimited }, given, header);
  const { max_completion_tokens: _, ...parameters } = input.request.parameters;
  return { ...input, request: { ...input.request, parameters } };
}
