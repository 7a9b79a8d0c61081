/** Chat completions: `POST /v1/chat/completions`. */
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import { bufferedGeneration } from '../../pipeline/generation/buffered.ts';
import { commentaryAsReasoning } from '../../pipeline/generation/commentary.ts';
import { generate } from '../../pipeline/generation/generate.ts';
import type { Generated } from '../../pipeline/generation/generated.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { mayBeFree } from '../../pipeline/use/may-be-free.ts';
import { warmUp } from '../../pipeline/warm-up.ts';
import { gatewayHeaders, modelDeprecations } from '../answer-facts.ts';
import { chargeSoFar, costInUsage } from '../charge-so-far.ts';
import { writeDebug } from '../debug.ts';
import { noteMetadata } from '../note-metadata.ts';
import { type ChatInput, readChat } from './read/read.ts';
import { chatSchema } from './read/schema.ts';
import { hideReasoning } from './write/hide-reasoning.ts';
import type { ChatIdentity } from './write/write.ts';
import { writeChatBody } from './write/write-body.ts';
import { chatStream, writeChatStreamError } from './write/write-stream.ts';

export interface ChatParts extends PipelineParts {
  /** A new random id with this prefix. */
  readonly newId: (prefix: string) => string;
}

export function chatEndpoint(parts: ChatParts): Endpoint<typeof chatSchema, ChatInput> {
  return {
    schema: chatSchema,
    read: readChat,
    prepare: ({ model }) => warmUp(parts, model),
    mayBeFree: mayBeFree(parts, 'chat_completions'),
    bufferedLimit: ({ request }) => (request.stream ? undefined : bufferedGeneration),
    earlyFrame: () => ({ onError: writeChatStreamError }),
    async answer(call) {
      noteMetadata(call.facts, call.input.request.parameters.metadata);
      return write(parts, call, await generate(parts, 'chat_completions', call.input, call));
    },
  };
}

async function write(parts: ChatParts, call: Call<ChatInput>, generated: Generated): Promise<Answer> {
  const { input } = call;
  const { target, changes, attempts } = generated;
  const { response_format: format } = input.request.parameters;
  const isJson = format !== undefined && format.type !== 'text';
  const answered = isJson ? commentaryAsReasoning(generated.events) : generated.events;
  const hasTools = input.request.tools.length > 0;
  const events = input.hidesReasoning ? hideReasoning(answered, hasTools) : answered;
  const identity: ChatIdentity = {
    id: parts.newId('chatcmpl-'),
    created: Math.floor(parts.now() / 1000),
    model: target.model.id,
  };
  // Written at the end, when all changes are known.
  const debug = () =>
    writeDebug(input.debug, {
      changes,
      deprecations: [...input.deprecations, ...modelDeprecations(target.model)],
      attempts,
      cost: () => chargeSoFar(call),
    });
  const headers = gatewayHeaders(generated);
  const cost = costInUsage(call);
  if (!input.request.stream) {
    return { type: 'json', headers, body: await writeChatBody(events, identity, debug, cost) };
  }
  const stream = chatStream({ identity, includeUsage: input.includeUsage, cost, debug });
  return { type: 'stream', headers, events: events.pipe(stream), onError: writeChatStreamError };
}
