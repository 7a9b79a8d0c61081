/** Rules of single providers: what each leaves out, changes or refuses of what a caller sets. */
import { describe, expect, test } from 'vitest';
import type { GenerationParameters, Message } from '../../lib/core/generation/request.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';

function apply(provider: string, parameters: GenerationParameters, messages?: readonly Message[]) {
  const rules = providers.get(provider)?.generation?.rules;
  if (!rules) throw new Error(`There is no provider ${provider}.`);
  const tools = [{ name: 'f', parameters: { type: 'object', properties: {} } }];
  return normalize(testRequest(parameters, { tools, ...(messages && { messages }) }), testTarget(), rules);
}

/** Each is taken by most providers, so that only a rule of the named one can change it. */
test.each<[string, GenerationParameters, GenerationParameters]>([
  ['zai', { temperature: 1.5 }, { temperature: 1 }],
  ['zai', { temperature: 0.9 }, { temperature: 0.9 }],
  ['bedrock', { service_tier: 'auto' }, {}],
  ['bedrock', { service_tier: 'flex' }, { service_tier: 'flex' }],
  ['anthropic', { service_tier: 'flex' }, {}],
  ['anthropic', { service_tier: 'auto' }, { service_tier: 'auto' }],
  ['google-vertex-anthropic', { service_tier: 'auto' }, {}],
  ['google-vertex-anthropic', { service_tier: 'default' }, {}],
  ['cohere', { frequency_penalty: 0.5, presence_penalty: 0.4 }, { frequency_penalty: 0.5 }],
  ['cohere', { presence_penalty: 0.4 }, { presence_penalty: 0.4 }],
  ['cohere', { top_p: 1 }, { top_p: 0.99 }],
  ['cohere', { top_p: 0 }, { top_p: 0.01 }],
  ['cohere', { top_p: 0.5 }, { top_p: 0.5 }],
  ['cohere', { frequency_penalty: -1 }, { frequency_penalty: 0 }],
  ['cohere', { presence_penalty: 2 }, { presence_penalty: 1 }],
  ['fireworks', { service_tier: 'auto' }, {}],
  ['huggingface', { service_tier: 'auto' }, {}],
  ['together', { service_tier: 'auto' }, {}],
  ['moonshot', { service_tier: 'auto', logit_bias: { '1': 1 } }, {}],
  // The test's model has no prices of tiers.
  ['google', { service_tier: 'flex' }, {}],
  ['google', { service_tier: 'default' }, { service_tier: 'default' }],
  ['google-vertex', { service_tier: 'default' }, {}],
  ['groq', { service_tier: 'default' }, {}],
  ['groq', { service_tier: 'flex' }, { service_tier: 'flex' }],
  ['openrouter', { service_tier: 'flex' }, { service_tier: 'flex' }],
])('%s: %j goes out as %j, and each change is recorded', (provider, parameters, sent) => {
  const { request, changes } = apply(provider, parameters);
  expect(request.parameters).toEqual(sent);
  const changed = Object.entries(parameters).filter(
    ([name, value]) => request.parameters[name as 'n'] !== value,
  );
  const recorded = changes.map(({ param }) => param).filter((param) => param in parameters);
  expect(recorded.toSorted()).toEqual(changed.map(([name]) => name).toSorted());
});

describe('several answers', () => {
  test.each([
    'minimax',
    'zai',
    'perplexity',
    'groq',
    'deepseek',
    'moonshot',
    'cohere',
    'anthropic',
    'bedrock',
  ])('of %s are refused, and one is what it gives anyway', (provider) => {
    expect(() => apply(provider, { n: 2 })).toThrow(
      expect.objectContaining({ kind: 'invalid_request', param: 'n' }),
    );
    expect(apply(provider, { n: 1 }).request.parameters).toEqual({});
  });
});

test.each([
  ['cohere', false],
  ['openai', true],
])('the names of participants at %s: %s', (provider, takesNames) => {
  const message: Message = { role: 'user', name: 'Ann', content: [{ type: 'text', text: 'Hello' }] };
  const { request, changes } = apply(provider, {}, [message]);
  expect('name' in (request.messages[0] ?? {})).toBe(takesNames);
  expect(changes.map(({ param }) => param)).toEqual(takesNames ? [] : ['messages.0.name']);
});
