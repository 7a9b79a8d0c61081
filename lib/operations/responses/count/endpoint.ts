/** `POST /v1/responses/input_tokens`: how many tokens the input of a response has. */
import * as z from 'zod/mini';
import type { Answer, Call, Endpoint } from '../../../core/endpoint.ts';
import { invalid } from '../../../core/errors/invalid.ts';
import type { CountedTokens } from '../../../pipeline/count-tokens.ts';
import { counting } from '../../../pipeline/generation/buffered.ts';
import { countInput } from '../../count-input.ts';
import { refuseDryRun } from '../../read-request.ts';
import { nullish } from '../../request-schema.ts';
import { type ResponsesParts, tenantOf } from '../endpoint.ts';
import { allowedHistory, refersToStored } from '../read/history.ts';
import { type ResponsesInput, readResponses } from '../read/read.ts';
import { readConversation } from '../read/read-items.ts';
import { inputField, responsesSchema } from '../read/schema.ts';

export function countEndpoint(parts: ResponsesParts): Endpoint<typeof countSchema, ResponsesInput> {
  return {
    schema: countSchema,
    read: readCount,
    ...counting(parts),
    isCostly: refersToStored,
    answer: (call) => answer(parts, call),
  };
}

async function answer(parts: ResponsesParts, call: Call<ResponsesInput>): Promise<Answer> {
  const { input } = call;
  // Nothing of the conversation is cut off, and there is no answer to repair.
  const { truncate: _, repair: __, ...given } = input;
  const history = await allowedHistory(parts, call, tenantOf(call));
  const request = { ...input.request, messages: readConversation(input, history) };
  const asked = { ...given, normalize: true, request };
  const write = ({ inputTokens }: CountedTokens) => ({
    object: 'response.input_tokens',
    input_tokens: inputTokens,
  });
  return await countInput(parts, 'responses', asked, { call, write });
}

export const countSchema = z.extend(responsesSchema, { input: nullish(inputField) });

export function readCount(body: z.infer<typeof countSchema>, given: unknown = body): ResponsesInput {
  refuseDryRun(body);
  const input = body.input ?? [];
  if (input.length === 0 && !body.previous_response_id && !body.instructions) {
    throw invalid('input', 'is required');
  }
  return readResponses(
    { ...body, input, stream: false, stream_options: undefined, background: undefined },
    given,
  );
}
