/** How changes of messages are recorded, and which provider gets the reasoning of an earlier answer back. */
import { describe, expect, test } from 'vitest';
import type { Traits } from '../../lib/core/catalog/model.ts';
import type {
  AssistantMessage,
  GenerationRequest,
  Message,
  ReasoningDetail,
} from '../../lib/core/generation/request.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import { anthropic } from '../../lib/providers/anthropic/provider.ts';
import { bedrock } from '../../lib/providers/bedrock/provider.ts';
import { google } from '../../lib/providers/google/provider.ts';
import { openai } from '../../lib/providers/openai/provider.ts';
import type { Provider } from '../../lib/providers/provider.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';

const plain: Traits = { refuses: [], refusesWhileReasoning: [] };

function run(provider: Provider, request: GenerationRequest, owner = 'acme') {
  const rules = provider.generation?.rules;
  if (!rules) throw new Error('The provider does not generate.');
  const result = normalize(request, testTarget({ traits: plain, owner }), rules);
  const changes = result.changes.map(({ param, action, before, after }) => ({
    param,
    action,
    before,
    after,
  }));
  return { messages: result.request.messages, changes };
}

describe('reasoning of an earlier answer', () => {
  const detail = (format: string): ReasoningDetail =>
    format === 'google-gemini-v1'
      ? { type: 'reasoning.encrypted', data: 's', format, index: 0 }
      : { type: 'reasoning.text', text: 't', signature: 's', format, index: 0 };
  const assistant = (format: string): AssistantMessage => ({
    role: 'assistant',
    content: [],
    toolCalls: [],
    reasoningDetails: [detail(format)],
  });

  test.each([
    [anthropic, 'anthropic-claude-v1'],
    [bedrock, 'anthropic-claude-v1'],
    [google, 'google-gemini-v1'],
  ])('goes back to its own family only', (provider, own) => {
    const question: Message = { role: 'user', content: [{ type: 'text', text: 'Well?' }] };
    const messages = [question, assistant(own), assistant('another-family')];
    const result = run(provider, testRequest({}, { messages }), 'anthropic');
    expect(result.messages.slice(1)).toMatchObject([
      { reasoningDetails: [detail(own)] },
      { reasoningDetails: [] },
    ]);
    expect(result.changes.map(({ param }) => param)).toEqual(['messages.2.reasoning_details']);
  });
});

test('a record of a message names what was left out, without its content', () => {
  const secret = 'x'.repeat(500);
  const messages: readonly Message[] = [
    { role: 'user', name: 'Ann', content: [{ type: 'text', text: secret }] },
    {
      role: 'assistant',
      content: [],
      toolCalls: [],
      reasoningDetails: [{ type: 'reasoning.encrypted', data: secret, format: 'another', index: 0 }],
    },
    { role: 'assistant', content: [], toolCalls: [], reasoningDetails: [], reasoning: secret },
    { role: 'user', content: [{ type: 'text', text: secret }] },
  ];
  const { changes } = run(bedrock, testRequest({}, { messages }));
  expect(changes).toEqual([
    { param: 'messages.0.name', action: 'strip', before: 'Ann', after: null },
    {
      param: 'messages.1.reasoning_details',
      action: 'strip',
      before: ['reasoning.encrypted (another)'],
      after: null,
    },
    { param: 'messages.2.reasoning_content', action: 'strip', before: '500 characters', after: null },
  ]);
});

test('a record names a message by its index in the list of the caller', () => {
  const user: Message = { role: 'user', content: [{ type: 'text', text: 'Hi' }] };
  const calling: AssistantMessage = {
    role: 'assistant',
    content: [],
    toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }],
    reasoningDetails: [],
  };
  const messages: readonly Message[] = [
    user,
    calling,
    { ...user, cacheControl: { type: 'ephemeral' } },
    { role: 'tool', toolCallId: 'a', content: [{ type: 'text', text: '1' }] },
  ];
  const { changes } = run(openai, testRequest({}, { messages }));
  expect(changes.map(({ param }) => param)).toEqual(['messages.3', 'messages.2.cache_control']);
});
