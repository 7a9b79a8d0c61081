/** What the hosts with the OpenAI protocol support and refuse. */
import { describe, expect, test } from 'vitest';
import type { AssistantMessage, GenerationParameters } from '../../lib/core/generation/request.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';

function applyRules(
  provider: string,
  parameters: GenerationParameters,
  message?: AssistantMessage,
  efforts = ['none', 'high', 'max'],
) {
  const rules = providers.get(provider)?.generation?.rules;
  if (!rules) throw new Error(`There is no provider ${provider}.`);
  const reasoning = { style: 'effort', efforts, defaultEffort: 'high' } as never;
  const target = testTarget({ traits: { refuses: [], refusesWhileReasoning: [], reasoning } });
  const request = testRequest(parameters);
  const messages = message ? [...request.messages, message] : request.messages;
  return normalize({ ...request, messages }, target, rules);
}

const everything: GenerationParameters = {
  frequency_penalty: 0.5,
  logprobs: true,
  top_logprobs: 2,
  logit_bias: { '1': 1 },
  seed: 7,
  user: 'someone',
  store: true,
  metadata: { team: 'blue' },
  service_tier: 'default',
};

test.each([
  ['mistral', ['frequency_penalty', 'metadata', 'seed']],
  ['xai', ['frequency_penalty', 'logprobs', 'seed', 'top_logprobs', 'user']],
  ['deepseek', ['frequency_penalty', 'logprobs', 'top_logprobs', 'user']],
  ['groq', ['frequency_penalty', 'seed', 'user']],
  ['cerebras', ['logprobs', 'seed', 'top_logprobs', 'user']],
  ['alibaba', ['logit_bias', 'logprobs', 'seed', 'top_logprobs', 'user']],
])('%s is sent what it knows, and each parameter that stays behind is recorded', (provider, known) => {
  const { request, changes } = applyRules(provider, everything);
  const kept = Object.keys(request.parameters).toSorted();
  const named = changes.filter(({ action }) => action === 'strip').map(({ param }) => param);
  expect([...kept, ...named].toSorted()).toEqual(Object.keys(everything).toSorted());
  expect(kept).toEqual(known);
});

test.each([
  ['medium', 'high'],
  ['xhigh', 'max'],
  ['minimal', 'high'],
] as const)('DeepSeek counts the effort %s as %s', (reasoning_effort, counted) => {
  expect(applyRules('deepseek', { reasoning_effort }).request.parameters.reasoning_effort).toBe(counted);
});

test.each(['groq', 'deepseek', 'moonshot'])('%s gives one answer, and more are refused', (provider) => {
  expect(() => applyRules(provider, { n: 2 })).toThrow(
    expect.objectContaining({ kind: 'invalid_request', param: 'n' }),
  );
});

describe('reasoning of earlier turns', () => {
  const detail = (format: string) => ({ type: 'reasoning.text', text: 'Hm.', format, index: 0 }) as const;
  const said = (message: Partial<AssistantMessage>): AssistantMessage => ({
    role: 'assistant',
    content: [{ type: 'text', text: 'Yes.' }],
    toolCalls: [],
    reasoningDetails: [],
    ...message,
  });
  const left = (provider: string, message: AssistantMessage) =>
    applyRules(provider, {}, message).request.messages[1];

  test('goes back to its own host and to no other', () => {
    const message = said({ reasoningDetails: [detail('deepseek'), detail('anthropic-claude-v1')] });
    expect(left('deepseek', message)).toMatchObject({ reasoningDetails: [detail('deepseek')] });
    expect(left('moonshot', message)).toMatchObject({ reasoningDetails: [] });
    expect(left('openrouter', message)).toMatchObject({ reasoningDetails: [detail('anthropic-claude-v1')] });
  });

  test('goes as plain text to hosts that take it so, when a client has dropped the details', () => {
    const message = said({ reasoning: 'Hm.' });
    expect(left('deepseek', message)).toMatchObject({ reasoning: 'Hm.' });
    expect(left('groq', message)).not.toHaveProperty('reasoning');
  });
});

test("a server of the operator's own needs a base URL and no key; every other host needs a key", () => {
  const hosts = [...providers.values()].filter(({ name }) =>
    ['self-hosted', 'mistral', 'zai'].includes(name),
  );
  const withPlace = { settings: {}, baseUrl: 'http://127.0.0.1:8000/v1' };
  expect(hosts.map(({ name, isConfigured }) => [name, isConfigured(withPlace as never)])).toEqual([
    ['mistral', false],
    ['zai', false],
    ['self-hosted', true],
  ]);
});
