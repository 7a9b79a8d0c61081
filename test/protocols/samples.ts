/** Small requests and targets that the tests of block wires are written with. */
import { expect } from 'vitest';
import type { GenerationEvent } from '../../lib/core/events.ts';
import type { AssistantMessage, GenerationRequest, Message, UserMessage } from '../../lib/core/generation.ts';
import type { Target, Traits } from '../../lib/core/model.ts';
import { testTarget } from '../harness/model.ts';

export function target(traits: Partial<Traits> = {}, upstreamId = 'claude-sample'): Target {
  return testTarget({
    limits: { context: 200_000, input: null, output: 64_000 },
    traits: { refuses: [], refusesWhileReasoning: [], ...traits },
    deployments: [{ provider: 'sample', region: 'global', upstreamId }],
  });
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

/** The counts that the samples of block wires name: 10 in, 5 out; in the wire's own words besides. */
export const usage = (parts: object = {}): GenerationEvent => ({
  type: 'usage',
  usage: {
    promptTokens: 10,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    completionTokens: 5,
    reasoningTokens: 0,
    ...parts,
  },
  raw: expect.any(Object),
});
