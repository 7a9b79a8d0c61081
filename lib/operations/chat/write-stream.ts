/**
 * A chat answer as chunks: the first of each choice has the role, each choice has exactly one finish, usage comes last
 * and only if asked, then `[DONE]`. The details of a choice's reasoning come together, right before its finish: the
 * official SDK keeps only the last list it sees, and a client that puts all lists together has each detail once.
 */
import type { PublicEvent } from '../../core/endpoint.ts';
import type { GatewayError } from '../../core/errors.ts';
import type { GenerationEvent } from '../../core/events.ts';
import type { ReasoningDetail } from '../../core/generation.ts';
import type { Usage } from '../../core/usage.ts';
import { writeSignatureOfCall } from './thought-signature.ts';
import {
  type ChatEvent,
  type ChatIdentity,
  isToldElsewhere,
  writeDetail,
  writeLogprobs,
  writeMeta,
  writeUsage,
} from './write.ts';

export interface ChatStreamOptions {
  readonly identity: ChatIdentity;
  readonly includeUsage: boolean;
  /** Told as it is, in the last chunk. */
  readonly debug: object | undefined;
}

export async function* writeChatStream(
  events: AsyncIterable<GenerationEvent>,
  { identity, includeUsage, debug }: ChatStreamOptions,
): AsyncGenerator<PublicEvent> {
  const opened = new Set<number>();
  let meta = {};
  let usage: Usage | undefined;
  const chunk = (choices: readonly object[], more: object = {}): PublicEvent => {
    const { id, created, model } = identity;
    return { data: { id, object: 'chat.completion.chunk', created, model, ...meta, choices, ...more } };
  };
  // The last chunk with choices or usage carries `debug`, so a finish waits until it is known not to be the last.
  let held: readonly object[] | undefined;
  const details = new Map<number, ReasoningDetail[]>();
  for await (const event of events) {
    if (event.type === 'start') meta = writeMeta(event);
    else if (event.type === 'usage') usage = event.usage;
    else if (isToldElsewhere(event)) continue;
    else {
      if (held) yield chunk(held);
      held = undefined;
      if (!opened.has(event.choice)) {
        opened.add(event.choice);
        yield chunk([choiceOf(event.choice, { role: 'assistant', content: '' })]);
      }
      const known = details.get(event.choice) ?? [];
      if (event.type === 'reasoning-detail') {
        details.set(event.choice, [...known, event.detail]);
      } else if (event.type === 'finish') {
        const written = { reasoning_details: known.map(writeDetail) };
        if (known.length > 0) yield chunk([choiceOf(event.choice, written)]);
        held = [choiceOf(event.choice, {}, event.reason)];
      } else yield chunk([writeDelta(event, known)]);
    }
  }
  const last = debug ? { debug } : {};
  if (includeUsage) {
    if (held) yield chunk(held);
    yield chunk([], { usage: usage ? writeUsage(usage) : null, ...last });
  } else if (held) {
    yield chunk(held, last);
  }
  yield { data: '[DONE]' };
}

/** One error event, and nothing after it: a reader must not take a broken answer for a whole one. */
export function writeChatStreamError(error: GatewayError): readonly PublicEvent[] {
  return [{ data: error.toBody() }];
}

type Delta = Exclude<ChatEvent, { type: 'start' | 'usage' | 'finish' | 'reasoning-detail' }>;

function choiceOf(
  index: number,
  delta: object,
  reason: string | null = null,
  logprobs: object | null = null,
) {
  return { index, delta, logprobs, finish_reason: reason };
}

/** `details` are those of the choice so far: a call's signature comes before the call. */
function writeDelta(event: Delta, details: readonly ReasoningDetail[]): object {
  if (event.type === 'logprobs') {
    return choiceOf(event.choice, {}, null, writeLogprobs(event));
  }
  return choiceOf(event.choice, deltaOf(event, details));
}

function deltaOf(event: Exclude<Delta, { type: 'logprobs' }>, details: readonly ReasoningDetail[]): object {
  switch (event.type) {
    case 'text':
      return { content: event.text };
    case 'refusal':
      return { refusal: event.text };
    case 'reasoning':
      return { reasoning_content: event.text };
    case 'annotation':
      return { annotations: [event.annotation] };
    case 'tool-call': {
      const call = { name: event.name, arguments: '' };
      const extra = writeSignatureOfCall(details.find(({ id }) => id === event.id));
      return {
        tool_calls: [{ index: event.call, id: event.id, type: 'function', function: call, ...extra }],
      };
    }
    case 'tool-arguments':
      return { tool_calls: [{ index: event.call, function: { arguments: event.text } }] };
  }
}
