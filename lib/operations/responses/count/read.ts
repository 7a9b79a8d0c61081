/** Reads a valid body of the count of input tokens: that of a response, whose input may be left out where it continues another. */
import * as z from 'zod/mini';
import { invalid } from '../../../core/errors/invalid.ts';
import { nullish } from '../../request-schema.ts';
import { type ResponsesInput, readResponses } from '../read/read.ts';
import { inputField, responsesSchema } from '../read/schema.ts';

export const countSchema = z.extend(responsesSchema, { input: nullish(inputField) });

export function readCount(body: z.infer<typeof countSchema>, given: unknown = body): ResponsesInput {
  const input = body.input ?? [];
  if (input.length === 0 && !body.previous_response_id && !body.instructions) {
    throw invalid('input', 'is required');
  }
  return readResponses({ ...body, input, stream: false, stream_options: undefined }, given);
}
