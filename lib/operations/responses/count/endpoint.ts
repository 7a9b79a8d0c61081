/** `POST /v1/responses/input_tokens`: how many tokens the input of a response has. */
import type { Answer, Call, Endpoint } from '../../../core/endpoint.ts';
import type { CountedTokens } from '../../../pipeline/count-tokens.ts';
import { bufferedGeneration } from '../../../pipeline/generation/buffered.ts';
import { warmUp } from '../../../pipeline/warm-up.ts';
import { countInput } from '../../count-input.ts';
import { type ResponsesParts, tenantOf } from '../endpoint.ts';
import { allowedHistory } from '../read/allowed-history.ts';
import { refersToStored } from '../read/history.ts';
import type { ResponsesInput } from '../read/read.ts';
import { readConversation } from '../read/read-items.ts';
import { countSchema, readCount } from './read.ts';

export function countEndpoint(parts: ResponsesParts): Endpoint<typeof countSchema, ResponsesInput> {
  return {
    schema: countSchema,
    read: readCount,
    prepare: ({ model }) => warmUp(parts, model),
    isCostly: refersToStored,
    mayBeFree: async () => true,
    bufferedLimit: () => bufferedGeneration,
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
