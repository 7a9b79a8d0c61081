/**
 * What a caller without a limit of output needs of a budget, through the gateway: the output is lowered to what is left, on
 * record, in place of a refusal.
 */
import { describe, expect, test } from 'vitest';
import { parseDollars } from '../../lib/core/accounting/money.ts';
import type { UpstreamScript } from '../harness/upstream.ts';
import { maxCost, maxTokens, outputCost, question, until, useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway();

const usd = (text: string) => parseDollars(text) ?? 0;

/** The model whose whole output costs 3.84 USD. */
const model = 'openai/gpt-5.5';
const hello = {
  model,
  messages: [{ role: 'user', content: 'Hello' }],
  extra: { debug: ['normalizations'] },
};

interface Debugged {
  readonly debug?: { readonly normalizations: readonly Record<string, unknown>[] };
}

const sentBody = (): Readonly<Record<string, unknown>> => Object(gateway.upstream.requests.at(-1)?.body);
const sentLimit = () => Number(sentBody().max_completion_tokens);

const answersAsResponse: UpstreamScript = (_request, response) => {
  const text = { type: 'output_text', text: 'Something.', annotations: [] };
  const message = { type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content: [text] };
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const answer = { id: 'resp_1', object: 'response', status: 'completed', model, output: [message], usage };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
};

async function changesOf(response: Response) {
  const { debug } = (await response.json()) as Debugged;
  return (debug?.normalizations ?? []).filter(({ param }) => /max_/.test(`${param}`));
}

test('a Hello without a limit passes under a budget of 5 USD, with the default output as its limit', async () => {
  const { secret, tenant } = await gateway.newKey({ tenant: { monthlyBudget: usd('5') } });
  const response = await gateway.ask(secret, hello);
  expect(response.status).toBe(200);
  const sent = sentLimit();
  expect(sent).toBe(16_384);
  expect(await changesOf(response)).toEqual([
    {
      param: 'max_completion_tokens',
      action: 'add',
      before: null,
      after: sent,
      reason: expect.stringContaining('limits'),
    },
  ]);
  expect((await gateway.usageOf(tenant))?.committed).toBeLessThan(usd('1.25'));
});

test('twenty at once pass under a budget of 50 USD', async () => {
  const { secret } = await gateway.newKey({ tenant: { monthlyBudget: usd('50') } });
  await (await gateway.ask(secret, {})).text();
  const release = gateway.hold();
  const asked = Array.from({ length: 20 }, () => gateway.ask(secret, hello));
  await until(() => gateway.upstream.requests.length === 20);
  release();
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  const promised = gateway.upstream.requests.map(({ body }) =>
    Number(Object(body).max_completion_tokens ?? 128_000),
  );
  expect(promised.reduce((sum, tokens) => sum + tokens * 30_000, 0)).toBeLessThan(usd('50'));
});

test('a limit of 100,000 tokens per minute lets a Hello through', async () => {
  const { secret } = await gateway.newKey({ key: { tokensPerMinute: 100_000 } });
  const response = await gateway.ask(secret, hello);
  expect(response.status).toBe(200);
  expect(sentLimit()).toBe(16_384);
});

test('nothing is changed where enough is left, or nothing is limited', async () => {
  for (const tenant of [{ monthlyBudget: usd('1000') }, {}]) {
    const { secret } = await gateway.newKey({ tenant });
    const response = await gateway.ask(secret, hello);
    expect(await changesOf(response)).toEqual([]);
    expect(sentBody()).not.toHaveProperty('max_completion_tokens');
  }
});

describe('a limit of the caller', () => {
  const budget = maxCost - 20 * outputCost;

  test.each([
    ['max_completion_tokens', '/v1/chat/completions', question],
    [
      'max_output_tokens',
      '/v1/responses',
      { model: question.model, input: 'Say something.', max_output_tokens: 50 },
    ],
  ])('%s is lowered to what is left', async (name, path, body) => {
    const { secret } = await gateway.newKey({ key: { dailyBudget: budget } });
    if (path === '/v1/responses') gateway.upstream.script(answersAsResponse);
    const response = await gateway.ask(secret, { ...body, extra: { debug: ['normalizations'] } }, { path });
    expect(response.status).toBe(200);
    expect(await changesOf(response)).toMatchObject([{ param: name, action: 'override', before: 50 }]);
    const sent = sentBody();
    expect(Number(sent.max_completion_tokens ?? sent.max_tokens ?? sent.max_output_tokens)).toBeLessThan(50);
  });

  test('of several choices is shared among them', async () => {
    const { secret } = await gateway.newKey({ key: { tokensPerMinute: maxTokens } });
    expect((await gateway.ask(secret, { ...question, n: 2 })).status).toBe(200);
    expect(sentLimit()).toBe(25);
  });

  test('that leaves nothing of use is a refusal', async () => {
    const { secret } = await gateway.newKey({ key: { dailyBudget: maxCost - 40 * outputCost } });
    expect((await gateway.ask(secret)).status).toBe(429);
  });
});
