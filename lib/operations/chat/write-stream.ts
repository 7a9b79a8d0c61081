/**
 * A chat answer as chunks: the first of each choice has the role, each choice has exactly one finish, usage comes last
 * and only if asked, then `[DONE]`.
 */
import type { PublicEvent } from '../../core/endpoint.ts';
import type { GatewayError } from '../../core/errors.ts';
import type { GenerationEvent } from '../../core/events.ts';
import type { ReasoningDetail } from '../../core/generation.ts';
import type { Usage } from '../../core/usage.ts';
import { writeSignatureOfCall } from './thought-signature.ts';
import { type ChatIdentity, writeDetail, writeLogprobs, writeMeta, writeUsage } from './write.ts';

export interface ChatStreamOptions {
  readonly identity: ChatIdentity;
  readonly includeUsage: boolean;
  /** Made when the answer is over, for the last chunk. */
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
  // A signature comes before the call it belongs to.
  const signatures = new Map<string, ReasoningDetail>();
  for await (const event of events) {
    if (event.type === 'start') meta = writeMeta(event);
    else if (event.type === 'usage') usage = event.usage;
    else {
      if (held) yield chunk(held);
      held = undefined;
      if (!opened.has(event.choice)) {
        opened.add(event.choice);
        yield chunk([choiceOf(event.choice, { role: 'assistant', content: '' })]);
      }
      if (event.type === 'finish') held = [choiceOf(event.choice, {}, event.reason)];
      else yield chunk([writeDelta(event, signatures)]);
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

type Delta = Exclude<GenerationEvent, { type: 'start' | 'usage' | 'finish' }>;

function choiceOf(
  index: number,
  delta: object,
  reason: string | null = null,
  logprobs: object | null = null,
) {
  return { index, delta, logprobs, finish_reason: reason };
}

function writeDelta(event: Delta, signatures: Map<string, ReasoningDetail>): object {
  if (event.type === 'logprobs') {
    return choiceOf(event.choice, {}, null, writeLogprobs(event));
  }
  if (event.type === 'reasoning-detail' && event.detail.id !== undefined) {
    signatures.set(event.detail.id, event.detail);
  }
  return choiceOf(event.choice, deltaOf(event, signatures));
}

function deltaOf(
  event: Exclude<Delta, { type: 'logprobs' }>,
  signatures: ReadonlyMap<string, ReasoningDetail>,
): object {
  switch (event.type) {
    case 'text':
      return { content: event.text };
    case 'refusal':
      return { refusal: event.text };
    case 'reasoning':
      return { reasoning_content: event.text };
    case 'reasoning-detail':
      return { reasoning_details: [writeDetail(event.detail)] };
    case 'annotation':
      return { annotations: [event.annotation] };
    case 'tool-call': {
      const call = { name: event.name, arguments: '' };
      const extra = writeSignatureOfCall(signatures.get(event.id));
      return {
        tool_calls: [{ index: event.call, id: event.id, type: 'function', function: call, ...extra }],
      };
    }
    case 'tool-arguments':
      return { tool_calls: [{ index: event.call, function: { arguments: event.text } }] };
  }
}
