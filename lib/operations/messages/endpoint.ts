/** The Messages operation: `POST /v1/messages`. */
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import { mayBeFree } from '../../pipeline/may-be-free.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { warmUp } from '../../pipeline/warm-up.ts';
import { gatewayHeaders, modelDeprecations } from '../answer-facts.ts';
import { chargeSoFar, costInUsage } from '../charge-so-far.ts';
import { writeDebug } from '../debug.ts';
import { bufferedGeneration } from '../generation/buffered.ts';
import { generate } from '../generation/generate.ts';
import type { Generated } from '../generation/generated.ts';
import { type MessagesInput, readMessages } from './read/read.ts';
import { messagesSchema } from './read/schema.ts';
import { writeMessagesBody } from './write/write-body.ts';
import { originalBody, originalStream } from './write/write-original.ts';
import { type MessagesAnswer, messagesStream, writeMessagesStreamError } from './write/write-stream.ts';

export interface MessagesParts extends PipelineParts {
  /** A new random id with this prefix. */
  readonly newId: (prefix: string) => string;
}

export function messagesEndpoint(parts: MessagesParts): Endpoint<typeof messagesSchema, MessagesInput> {
  return {
    schema: messagesSchema,
    read: readMessages,
    prepare: ({ model }) => warmUp(parts, model),
    mayBeFree: mayBeFree(parts, 'messages'),
    bufferedLimit: ({ request }) => (request.stream ? undefined : bufferedGeneration),
    answer: async (call) => write(parts, call, await generate(parts, 'messages', call.input, call)),
  };
}

async function write(parts: MessagesParts, call: Call<MessagesInput>, generated: Generated): Promise<Answer> {
  const { input } = call;
  const { target, changes, attempts, events } = generated;
  const answer: MessagesAnswer = {
    id: parts.newId('msg_'),
    model: target.model.id,
    cost: costInUsage(call),
    // Written at the end, when all changes are known.
    debug: () =>
      writeDebug(input.debug, {
        changes,
        deprecations: modelDeprecations(target.model),
        attempts,
        cost: () => chargeSoFar(call),
      }),
  };
  const headers = gatewayHeaders(generated);
  const [asBody, asStream] = generated.isOriginal
    ? ([originalBody, originalStream] as const)
    : ([writeMessagesBody, messagesStream] as const);
  if (!input.request.stream) return { type: 'json', headers, body: await asBody(events, answer) };
  return {
    type: 'stream',
    headers,
    events: events.pipe(asStream(answer)),
    onError: writeMessagesStreamError,
  };
}
