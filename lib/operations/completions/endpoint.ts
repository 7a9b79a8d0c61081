/** Text completions, for clients that do not use chat: `POST /v1/completions`. */
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import { bufferedGeneration } from '../../pipeline/generation/buffered.ts';
import { generate } from '../../pipeline/generation/generate.ts';
import type { Generated } from '../../pipeline/generation/generated.ts';
import { mayBeFree } from '../../pipeline/use/may-be-free.ts';
import { warmUp } from '../../pipeline/warm-up.ts';
import { gatewayHeaders, modelDeprecations } from '../answer-facts.ts';
import { chargeSoFar, costInUsage } from '../charge-so-far.ts';
import type { ChatParts } from '../chat/endpoint.ts';
import { chunkStream, writeChatStreamError } from '../chat/write/write-stream.ts';
import { writeDebug } from '../debug.ts';
import { type CompletionsInput, readCompletions } from './read.ts';
import { completionsSchema } from './schema.ts';
import { textWriter, writeCompletionBody } from './write.ts';

export function completionsEndpoint(parts: ChatParts): Endpoint<typeof completionsSchema, CompletionsInput> {
  return {
    schema: completionsSchema,
    read: readCompletions,
    prepare: ({ model }) => warmUp(parts, model),
    mayBeFree: mayBeFree(parts, 'chat_completions'),
    bufferedLimit: ({ request }) => (request.stream ? undefined : bufferedGeneration),
    earlyFrame: () => ({ onError: writeChatStreamError }),
    answer: async (call) => write(parts, call, await generate(parts, 'chat_completions', call.input, call)),
  };
}

async function write(parts: ChatParts, call: Call<CompletionsInput>, generated: Generated): Promise<Answer> {
  const { input } = call;
  const { target, changes, attempts, events } = generated;
  const { echoed, includeUsage } = input;
  const identity = {
    id: parts.newId('cmpl-'),
    created: Math.floor(parts.now() / 1000),
    model: target.model.id,
  };
  // Written at the end, when all changes are known.
  const debug = () =>
    writeDebug(input.debug, {
      changes,
      deprecations: modelDeprecations(target.model),
      attempts,
      cost: () => chargeSoFar(call),
    });
  const cost = costInUsage(call);
  const headers = gatewayHeaders(generated);
  if (!input.request.stream) {
    return {
      type: 'json',
      headers,
      body: await writeCompletionBody(events, identity, { echoed, cost, debug }),
    };
  }
  const object = 'text_completion';
  const stream = chunkStream({ object, write: textWriter(echoed), identity, includeUsage, cost, debug });
  return { type: 'stream', headers, events: events.pipe(stream), onError: writeChatStreamError };
}
