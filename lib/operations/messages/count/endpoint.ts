/** `POST /v1/messages/count_tokens`: how many tokens the input of a message has. */
import type { Endpoint } from '../../../core/endpoint.ts';
import { bufferedGeneration } from '../../../pipeline/generation/buffered.ts';
import type { PipelineParts } from '../../../pipeline/parts.ts';
import { warmUp } from '../../../pipeline/warm-up.ts';
import { countInput } from '../../count-input.ts';
import type { MessagesInput } from '../read/read.ts';
import { countSchema, readCount } from './read.ts';

export function countEndpoint(parts: PipelineParts): Endpoint<typeof countSchema, MessagesInput> {
  return {
    schema: countSchema,
    read: readCount,
    prepare: ({ model }) => warmUp(parts, model),
    mayBeFree: async () => true,
    bufferedLimit: () => bufferedGeneration,
    answer: (call) =>
      countInput(parts, 'messages', call.input, {
        call,
        write: ({ inputTokens, others }) => ({ input_tokens: inputTokens, ...others }),
      }),
  };
}
