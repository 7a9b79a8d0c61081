/** Small requests and targets that the tests of block wires are written with. */
import { GatewayError } from '../../lib/core/errors.ts';
import type { GenerationEvent } from '../../lib/core/events.ts';
import type { AssistantMessage, GenerationRequest, Message, UserMessage } from '../../lib/core/generation.ts';
import type { Target, Traits } from '../../lib/core/model.ts';
import type { Frame, GenerationProtocol } from '../../lib/core/protocol.ts';

export function target(traits: Partial<Traits> = {}, upstreamId = 'claude-sample'): Target {
  const deployment = { provider: 'sample', region: 'global', upstreamId };
  return {
    deployment,
    model: {
      id: 'sample/model',
      owner: 'sample',
      created: 0,
      status: 'active',
      endpoints: ['chat_completions'],
      modalities: { input: ['text'], output: ['text'] },
      limits: { context: 200_000, input: null, output: 64_000 },
      traits: { refuses: [], refusesWhileReasoning: [], ...traits },
      deployments: [deployment],
      clocks: { connectMs: 1, firstByteMs: 1, bodyMs: 1, silenceMs: 1 },
    },
  };
}

export const user = (text: string): UserMessage => ({ role: 'user', content: [{ type: 'text', text }] });

export const assistant = (parts: Partial<AssistantMessage>): AssistantMessage => ({
  role: 'assistant',
  content: [],
  toolCalls: [],
  reasoningDetails: [],
  ...parts,
});

export const toolResult = (toolCallId: string, text: string): Message => ({
  role: 'tool',
  toolCallId,
  content: text === '' ? [] : [{ type: 'text', text }],
});

export const call = (id: string, name: string, text: string) => ({ id, name, arguments: text });

export function request(parts: Partial<GenerationRequest> = {}): GenerationRequest {
  return { messages: [user('Hello')], tools: [], parameters: {}, stream: false, ...parts };
}

/** A picture of one transparent dot. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export function decodeFrames(
  protocol: GenerationProtocol,
  frames: readonly Frame[],
): readonly GenerationEvent[] {
  const decoder = protocol.decodeStream();
  return [...frames.flatMap((frame) => [...decoder.onFrame(frame)]), ...decoder.onEnd()];
}

/** The events with neighbouring pieces of one text made one: how a text was cut is no part of the answer. */
export function joined(events: readonly GenerationEvent[]): readonly GenerationEvent[] {
  const result: GenerationEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    const follows = last?.type === event.type && 'text' in last && 'text' in event;
    const sameCall = !(last && 'call' in last && 'call' in event) || last.call === event.call;
    if (follows && sameCall) result[result.length - 1] = { ...event, text: last.text + event.text };
    else result.push(event);
  }
  return result;
}

/** The error that a piece of work ends with. */
export function errorOf(work: () => unknown): GatewayError {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
}
