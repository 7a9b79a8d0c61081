/** The SDK's error classes for each error. */
import OpenAI, { AuthenticationError, BadRequestError, NotFoundError } from 'openai';
import { expect, test } from 'vitest';
import { startTestGateway } from '../../harness/gateways/gateway.ts';
import { rowsThat } from '../../harness/matrix/providers.ts';
import { use } from '../../harness/use.ts';

const gateway = use(() => startTestGateway());

const clientWith = (apiKey: string) => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });
const messages = [{ role: 'user' as const, content: 'Hello' }];

async function failure(request: object, apiKey = gateway.apiKey) {
  const body = { model: 'openai/gpt-4.1', messages, ...request };
  return clientWith(apiKey)
    .chat.completions.create(body)
    .then(
      () => {
        throw new Error('The request should have failed.');
      },
      (error) => error,
    );
}

test('an unknown key is an AuthenticationError', async () => {
  const mistyped = `${gateway.apiKey.slice(0, -1)}${gateway.apiKey.endsWith('a') ? 'b' : 'a'}`;
  for (const key of ['sk-something-else', mistyped]) {
    const error = await failure({}, key);
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error.code).toBe('invalid_api_key');
    expect(error.type).toBe('authentication_error');
    expect(error.requestID).toBeTruthy();
  }
});

test('an unknown model is a NotFoundError with similar names', async () => {
  const error = await failure({ model: 'openai/gpt-4.l' });
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error.code).toBe('model_not_found');
  expect(error.message).toContain('openai/gpt-4.1');
});

test('a retired model is a NotFoundError with its replacement', async () => {
  const error = await failure({ model: 'openai/o4-mini' });
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error.message).toMatch(/retired.*openai\//);
});

test.each([
  ['temperature', { temperature: 3 }],
  ['messages', { messages: 'hello' }],
  ['messages.0.role', { messages: [{ role: 'robot', content: 'Hello' }] }],
  ['top_logprobs', { top_logprobs: 3 }],
  ['n', { n: 2, stream: true }],
  ['functions', { functions: [{ name: 'f' }] }],
  ['extra.fallbacks.0', { extra: { fallbacks: ['openai/nothing-like-it'] } }],
  ['extra.fallbacks.1', { n: 3, extra: { fallbacks: ['openai/gpt-4o', 'anthropic/claude-haiku-4-5'] } }],
  ['n', { model: 'anthropic/claude-opus-5', n: 3, extra: { fallbacks: ['anthropic/claude-haiku-4-5'] } }],
  ['extra.debug.0', { extra: { debug: ['everything'] } }],
])('a wrong %s is a BadRequestError with that param', async (param, request) => {
  const error = await failure(request);
  expect(error).toBeInstanceOf(BadRequestError);
  expect(error.param).toBe(param);
  expect(error.type).toBe('invalid_request_error');
});

test.each(rowsThat(({ refused }) => refused !== undefined))(
  "$provider's own refusal surfaces when the caller wants no normalization",
  async ({ model, reasoning = model, refused }) => {
    const request = { model: reasoning, ...refused };
    const error = await failure({ ...request, extra: { normalize: false } });
    expect(error).toBeInstanceOf(BadRequestError);
    await expect(
      clientWith(gateway.apiKey).chat.completions.create({ ...request, messages }),
    ).resolves.toHaveProperty('choices');
  },
);
