/** Limits of a key as Anthropic's clients read them. */
import { describe, expect, test } from 'vitest';
import { useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway();

const body = {
  model: 'openai/gpt-4.1',
  max_tokens: 50,
  messages: [{ role: 'user', content: 'Say something.' }],
};

const ask = (secret: string) => gateway.ask(secret, body, { path: '/v1/messages' });

const limitsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('anthropic-ratelimit-')));

test('an answer has the limits of the minute, and when it ends', async () => {
  const { secret } = await gateway.newKey({ key: { requestsPerMinute: 5, tokensPerMinute: 10_000 } });
  const response = await ask(secret);
  expect(response.status).toBe(200);
  const limits = limitsOf(response);
  const reset = limits['anthropic-ratelimit-requests-reset'] ?? '';
  expect(reset).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/);
  expect(limits).toMatchObject({
    'anthropic-ratelimit-requests-limit': '5',
    'anthropic-ratelimit-requests-remaining': '4',
  });
  const remaining = limits['anthropic-ratelimit-tokens-remaining'];
  expect(Number(remaining)).toBeLessThan(10_000);
  for (const unit of ['tokens', 'input-tokens', 'output-tokens'])
    expect(limits).toMatchObject({
      [`anthropic-ratelimit-${unit}-limit`]: '10000',
      [`anthropic-ratelimit-${unit}-remaining`]: remaining,
      [`anthropic-ratelimit-${unit}-reset`]: reset,
    });
  expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('4');
});

test('they are not on the answers of other operations', async () => {
  const { secret } = await gateway.newKey({ key: { requestsPerMinute: 5 } });
  expect(limitsOf(await gateway.ask(secret))).toEqual({});
});

describe('what is used up', () => {
  test('for a minute is a rate_limit_error with the time until it ends', async () => {
    const { secret } = await gateway.newKey({ key: { requestsPerMinute: 1 } });
    gateway.clock.set({ seconds: 18 });
    expect((await ask(secret)).status).toBe(200);
    const refused = await ask(secret);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '42']);
    expect(refused.headers.get('x-should-retry')).toBeNull();
    expect(limitsOf(refused)).toMatchObject({ 'anthropic-ratelimit-requests-remaining': '0' });
    expect(await refused.json()).toMatchObject({
      type: 'error',
      error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    });
  });

  test('for a day is one that is not tried again', async () => {
    const { secret } = await gateway.newKey({ key: { dailyBudget: 1_000 } });
    const refused = await ask(secret);
    expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([429, 'false']);
    expect(await refused.json()).toMatchObject({
      type: 'error',
      error: {
        type: 'rate_limit_error',
        code: 'insufficient_quota',
        details: { error_code: 'enforced_spend_limit_reached' },
        resets_at: expect.any(Number),
      },
    });
  });

  test('for good is a billing_error', async () => {
    const { secret } = await gateway.newKey({ key: { credit: 1_000 } });
    const refused = await ask(secret);
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({
      error: { type: 'billing_error', code: 'insufficient_quota' },
    });
  });
});
