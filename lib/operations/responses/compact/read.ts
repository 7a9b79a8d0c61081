/** Reads a valid body of a compaction: that of a response, whose input may be left out where it continues another. */
import * as z from 'zod/mini';
import { invalid } from '../../../core/errors/invalid.ts';
import { nullish } from '../../request-schema.ts';
import { type ResponsesInput, readResponses } from '../read/read.ts';
import { inputField, responsesSchema } from '../read/schema.ts';

export const compactSchema = z.extend(responsesSchema, {
  input: nullish(inputField),
  stream: nullish(z.literal(false, 'is not supported: a compaction is one object')),
});

export function readCompact(body: z.infer<typeof compactSchema>, given: unknown = body): ResponsesInput {
  const input = body.input ?? [];
  if (input.length === 0 && !body.previous_response_id) throw invalid('input', 'is required');
  return readResponses({ ...body, input }, given);
}
