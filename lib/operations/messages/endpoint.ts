/** The Messages operation: `POST /v1/messages`. */

import type { Answer, Call, Endpoint, PublicEvent, StreamFrame } from '../../core/endpoint.ts';
import { toAnthropicBody } from '../../core/errors/anthropic-error.ts';
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
import { type MessagesInput, readMessages } from './read/read.ts';
import { messagesSchema } from './read/schema.ts';
import { shownThinking } from './write/shown-thinking.ts';
import { writeMessagesBody } from './write/write-body.ts';
import { originalBody, originalStream } from './write/write-original.ts';
import { type MessagesAnswer, messagesStream } from './write/write-stream.ts';

interface MessagesParts extends PipelineParts {
  /** A new random id with this prefix. */
  readonly newId: (prefix: string) => string;
}

/** Few requests have a container. */
const loadContainers = () => import('./containers.ts');

const text = { type: 'text' };

/** Anthropic's own heartbeat: its clients pass over it. */
const ping: PublicEvent = { event: 'ping', data: '{"type":"ping"}' };

export function messagesEndpoint(parts: MessagesParts): Endpoint<typeof messagesSchema, MessagesInput> {
  return {
    schema: messagesSchema,
    read: readMessages,
    passesNumbers: true,
    prepare: ({ model }) => warmUp(parts, model),
    mayBeFree: mayBeFree(parts, 'messages'),
    bufferedLimit: ({ request }) => (request.stream ? undefined : bufferedGeneration),
    earlyFrame: frameOf,
    answer: async (call) => {
      if (call.input.container) await (await loadContainers()).checkContainer(parts, call);
      return write(parts, call, await generate(parts, 'messages', call.input, call));
    },
  };
}

async function write(parts: MessagesParts, call: Call<MessagesInput>, generated: Generated): Promise<Answer> {
  const { input } = call;
  const { target, changes, attempts } = generated;
  const answer: MessagesAnswer = {
    id: parts.newId('msg_'),
    model: target.model.id,
    provider: target.deployment.provider,
    inputTokens: call.facts.attempts.at(-1)?.inputTokens ?? 0,
    thinking: shownThinking(input.request),
    stopSequences: input.request.parameters.stop ?? [],
    cost: costInUsage(call),
    noteContainer: async (id) => (await loadContainers()).noteContainer(parts, call, id),
    // Written at the end, when all changes are known.
    debug: () =>
      writeDebug(input.debug, {
        changes,
        deprecations: modelDeprecations(target.model),
        attempts,
        cost: () => chargeSoFar(call),
      }),
  };
  const { response_format: format = text } = input.request.parameters;
  const isJson = format.type !== 'text' && !generated.isOriginal;
  const events = isJson ? commentaryAsReasoning(generated.events) : generated.events;
  const headers = gatewayHeaders(generated);
  const [asBody, asStream] = generated.isOriginal
    ? ([originalBody, originalStream] as const)
    : ([writeMessagesBody, messagesStream] as const);
  if (!input.request.stream) return { type: 'json', headers, body: await asBody(events, answer) };
  return {
    type: 'stream',
    headers,
    events: events.pipe(asStream(answer)),
    ...frameOf(call.requestId),
  };
}

const frameOf = (requestId: string): StreamFrame => ({
  onError: (error) => [{ event: 'error', data: toAnthropicBody(error, requestId) }],
  heartbeat: ping,
});
