/** The Messages operation: `POST /v1/messages`. */

import type { Answer, Call, Endpoint, PublicEvent, StreamFrame } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import type { GenerationRequest } from '../../core/generation/request.ts';
import { generating } from '../../pipeline/generation/buffered.ts';
import { commentaryAsReasoning } from '../../pipeline/generation/commentary.ts';
import { generate } from '../../pipeline/generation/generate.ts';
import type { Generated } from '../../pipeline/generation/generated.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { costInUsage, gatewayHeaders, writeDebug } from '../answer-facts.ts';
import { type MessagesInput, readMessages } from './read/read.ts';
import { messagesSchema } from './read/schema.ts';
import type { ShownThinking } from './write/write-content.ts';
import { writeMessagesError } from './write/write-error.ts';
import { originalBody, originalStream } from './write/write-original.ts';
import { type MessagesAnswer, messagesStream, writeMessagesBody } from './write/write-stream.ts';

interface MessagesParts extends PipelineParts {
  /** A new random id with this prefix. */
  readonly newId: (prefix: string) => string;
}

const text = { type: 'text' };

/** Anthropic's own heartbeat: its clients pass over it. */
const ping: PublicEvent = { event: 'ping', data: '{"type":"ping"}' };

export function messagesEndpoint(parts: MessagesParts): Endpoint<typeof messagesSchema, MessagesInput> {
  return {
    schema: messagesSchema,
    read: readMessages,
    passesNumbers: true,
    ...generating(parts, 'messages'),
    earlyFrame: frameOf,
    answer: async (call) => {
      await checkContainer(parts, call);
      return write(parts, call, await generate(parts, 'messages', call.input, call));
    },
  };
}

async function write(parts: MessagesParts, call: Call<MessagesInput>, generated: Generated): Promise<Answer> {
  const { input } = call;
  const { target } = generated;
  const answer: MessagesAnswer = {
    id: parts.newId('msg_'),
    model: target.model.id,
    provider: target.deployment.provider,
    inputTokens:
      generated.replayedInputTokens ??
      call.facts.attempts.at(-1)?.inputTokens ??
      generated.dry?.inputTokens ??
      0,
    keepsEmptyText: generated.dry !== undefined,
    isReplayed: call.facts.cached !== undefined,
    thinking: shownThinking(input.request),
    stopSequences: input.request.parameters.stop ?? [],
    cost: costInUsage(call),
    noteContainer: (id) => noteContainer(parts, call, id),
    debug: () => writeDebug(call, generated),
  };
  const { response_format: format = text } = input.request.parameters;
  const isJson = format.type !== 'text' && !generated.isOriginal;
  const events = isJson ? commentaryAsReasoning(generated.events) : generated.events;
  const headers = gatewayHeaders(generated);
  const [asBody, asStream] = generated.isOriginal
    ? ([originalBody, originalStream] as const)
    : ([writeMessagesBody, messagesStream] as const);
  if (!input.request.stream) return { type: 'json', headers, body: await asBody(events, answer) };
  return { type: 'stream', headers, events: events.pipe(asStream(answer)), ...frameOf(call.requestId) };
}

const frameOf = (requestId: string): StreamFrame => ({
  onError: (error) => writeMessagesError(error, requestId),
  heartbeat: ping,
});

/**
 * As Anthropic does: readable thinking for who asks for thinking and does not omit it. Many clients take the first block for the text,
 * so who does not ask for thinking gets no more than what the model needs back, and without tools nothing.
 */
function shownThinking({ original, tools }: GenerationRequest): ShownThinking {
  const { type, display } = isJsonObject(original?.body.thinking) ? original.body.thinking : noThinking;
  const isAsked = type !== undefined && type !== 'disabled';
  if (isAsked) return display === 'omitted' ? 'signatures' : 'all';
  return tools.length > 0 ? 'signatures' : 'none';
}

const noThinking: { readonly type?: unknown; readonly display?: unknown } = {};

/**
 * The containers in which Anthropic ran code. All tenants share the operator's account there, so a container may be used again only by
 * the tenant for whom it was made, which the shared cache remembers.
 */

/** Anthropic deletes a container after 30 days. Source: platform.claude.com, "Code execution tool". */
const containerLifetimeMs = 30 * 24 * 3_600_000;

/** Longer ids, and ids of another form, are not Anthropic's. In characters. */
const maxContainerIdLength = 200;

type Asking = Pick<Call<MessagesInput>, 'input' | 'key'>;

/** Undefined: no container has this id. */
function keyOf({ key }: Asking, id: string): string | undefined {
  const isId = id.length <= maxContainerIdLength && /^[\w-]+$/.test(id);
  return isId ? `container ${key?.tenant ?? ''} ${id}` : undefined;
}

/** @throws GatewayError `invalid_request` for a container that was not made for the tenant of the call. */
async function checkContainer({ connections }: PipelineParts, call: Asking): Promise<void> {
  const { container } = call.input;
  if (!container) return;
  const key = keyOf(call, container.id);
  const found = key && (await connections.sharedCache.find(key, { isFresh: true }));
  if (found !== undefined) return;
  const { path: param } = container;
  const message = `'${param}' is not the id of a container of yours, or it has expired. Leave it out to get a new one.`;
  throw new GatewayError('invalid_request', message, { param });
}

/** The tenant of the call may use the container from now on. */
async function noteContainer({ connections }: PipelineParts, call: Asking, id: string): Promise<void> {
  const key = keyOf(call, id);
  if (key) await connections.sharedCache.set(key, '', containerLifetimeMs);
}
