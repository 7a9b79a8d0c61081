/** What an answer says of its price decides its cost, and what a request asks for decides what is reserved. Through the gateway. */

import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { databaseEndpoint } from '../harness/gateways/environment.ts';
import { openLedger } from '../harness/ledger.ts';
import { settled } from '../harness/settled.ts';
import { answerJson, type UpstreamScript } from '../harness/upstream.ts';
import { useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway((url) => ({
  ANTHROPIC_API_KEY: 'test',
  ANTHROPIC_UPSTREAM_URL: `${url}/v1`,
  // However busy the machine is, a stream that is left is read to its count.
  GATEWAY_READ_ON_MS: '30000',
}));
const model = 'acme/tiers';

/** gpt-5.5 as on developers.openai.com/api/docs/pricing, and hours of its own. */
const row = {
  id: model,
  created: '2026-01-01',
  status: 'active',
  endpoints: ['chat_completions', 'responses'],
  modalities: { input: ['text'], output: ['text'] },
  limits: { context: 1_050_000, input: null, output: 128_000 },
  traits: {},
  price: {
    input: 5,
    output: 30,
    tiers: [{ aboveInputTokens: 272_000, input: 10, output: 45 }],
    serviceTiers: { flex: { input: 2.5, output: 15 }, priority: { input: 12.5, output: 75 } },
    hostedTools: { code_interpreter: 30 },
  },
  deployments: [{ provider: 'openai', region: 'global', upstreamId: 'gpt-5.5' }],
};

beforeAll(async () => {
  const { call, close } = connectDatabase(databaseEndpoint());
  await createCatalogStore({ call, table: 'catalog' }).put(row, { source: 'operator' });
  await close();
});

const dollar = 1_000_000_000;

async function recordOf(tier: string, asked?: string) {
  const usage = { prompt_tokens: 100_000, completion_tokens: 2_000, total_tokens: 102_000 };
  const message = { role: 'assistant', content: 'Yes.' };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  gateway.upstream.script(answerJson({ id: 'one', choices, usage, service_tier: tier }));
  const made = await gateway.newKey({ tenant: { monthlyBudget: 100 * dollar } });
  const messages = [{ role: 'user', content: 'Well?' }];
  const body = { model, max_completion_tokens: 2_000, messages, ...(asked && { service_tier: asked }) };
  expect((await gateway.ask(made.secret, body)).status).toBe(200);
  const ledger = openLedger();
  const [record] = await ledger.recordsOf(made.tenant.id);
  await ledger.close();
  return record;
}

test.each([
  ['default', undefined, 0.56],
  ['flex', 'flex', 0.28],
  // OpenAI answers a request for flex in the default tier where flex has no room.
  ['default', 'flex', 0.56],
  ['priority', 'auto', 1.4],
  ['ultrafast', 'auto', null],
])('an answer in the tier %s to a request for %s', async (tier, asked, dollars) => {
  const record = await recordOf(tier, asked);
  expect(record?.cost).toBe(dollars === null ? null : dollars * dollar);
});

async function statusWith(monthlyBudget: number, more: object, path = '/v1/chat/completions') {
  const { secret } = await gateway.newKey({ key: { monthlyBudget } });
  const response = await gateway.ask(secret, { model, ...more }, { path });
  await settled();
  return response.status;
}

const hello = { messages: [{ role: 'user', content: 'Hello' }], max_completion_tokens: 128_000 };

test('a short prompt is reserved at the prices for short prompts', async () => {
  // All of its output is 3.84 dollars, and 5.76 at the prices for long prompts.
  expect(await statusWith(3.85 * dollar, hello)).toBe(200);
});

test('a tool with a price is reserved with what it may bring in, and is called less often where that does not fit', async () => {
  const tools = [{ type: 'code_interpreter', container: { type: 'auto' } }];
  const body = { input: 'Go.', tools, max_output_tokens: 16 };
  const ask = (budget: number, more: object) => statusWith(budget, { ...body, ...more }, '/v1/responses');
  // Even one call may fill the context: ten dollars.
  expect(await ask(0.4 * dollar, { max_tool_calls: 2 })).toBe(429);
  expect(gateway.upstream.requests).toHaveLength(0);
  await ask(12 * dollar, { max_tool_calls: 2 });
  expect(gateway.upstream.requests.map((request) => request.body.max_tool_calls)).toEqual([1]);
});

test('a response in the background keeps to the calls that were reserved before it was queued', async () => {
  const { secret } = await gateway.newKey({ key: { monthlyBudget: 12 * dollar } });
  const tools = [{ type: 'code_interpreter', container: { type: 'auto' } }];
  const body = { model, input: 'Go.', tools, max_output_tokens: 16, max_tool_calls: 2, background: true };
  expect((await gateway.ask(secret, body, { path: '/v1/responses' })).status).toBe(200);
  await expect.poll(() => gateway.upstream.requests.map((sent) => sent.body.max_tool_calls)).toEqual([1]);
});

/** Counts as the providers do: every round reads the conversation again, with all that the tools have brought in. */
const readingUpstream: UpstreamScript = ({ path, body }, response) => {
  const tools = (body.tools ?? []) as readonly Readonly<Record<string, unknown>>[];
  const own = JSON.stringify(body).length;
  const context = 1_000_000;
  const rounds = (calls: number, tokens: number) =>
    Array.from({ length: calls + 1 }, (_, round) => Math.min(context, own + round * tokens)).reduce(
      (sum, one) => sum + one,
    );
  response.writeHead(200, { 'content-type': 'application/json' });
  if (path === '/v1/messages') {
    const reading = tools.filter(({ type }) => /^web_/.test(`${type}`));
    const calls = reading.reduce((sum, { max_uses: uses = 10 }) => sum + Math.min(10, Number(uses)), 0);
    const tokens = Math.max(0, ...reading.map(({ max_content_tokens: most = context }) => Number(most)));
    const searches = reading.some(({ type }) => `${type}`.startsWith('web_search')) ? calls : 0;
    const usage = {
      input_tokens: rounds(Math.min(10, calls), tokens),
      output_tokens: body.max_tokens,
      server_tool_use: { web_search_requests: searches, web_fetch_requests: calls - searches },
    };
    const content = [{ type: 'text', text: 'Found.' }];
    response.end(
      JSON.stringify({
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: body.model,
        content,
        stop_reason: 'end_turn',
        usage,
      }),
    );
    return;
  }
  const calls = Number(body.max_tool_calls ?? 40);
  const input_tokens = rounds(calls, context);
  const searches = Array.from({ length: calls }, (_, index) => ({
    id: `ws_${index}`,
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: 'q' },
  }));
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Found.', annotations: [] }],
  };
  const usage = {
    input_tokens,
    output_tokens: Number(body.max_output_tokens),
    total_tokens: 0,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  response.end(
    JSON.stringify({
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      model: 'gpt-5.5',
      status: 'completed',
      output: [...searches, message],
      usage,
    }),
  );
};

/** opus-5 and gpt-5.5, at their makers alone. */
const same = {
  created: '2026-01-01',
  status: 'active',
  endpoints: ['chat_completions', 'responses'],
  modalities: { input: ['text', 'image', 'pdf'], output: ['text'] },
  limits: { context: 1_000_000, input: null, output: 128_000 },
  traits: { webSearch: true },
};
const rows = [
  {
    ...same,
    id: 'acme/claude',
    price: {
      input: 5,
      output: 25,
      cachedInput: 0.5,
      cacheWrite: 6.25,
      webSearch: 10,
      hostedTools: { web_fetch: 0 },
    },
    deployments: [{ provider: 'anthropic', region: 'global', upstreamId: 'claude-opus-5' }],
  },
  {
    ...same,
    id: 'acme/gpt',
    price: { input: 5, output: 30, cachedInput: 0.5, webSearch: 10 },
    deployments: [{ provider: 'openai', region: 'global', upstreamId: 'gpt-5.5' }],
  },
];

describe('tools of the provider that read', () => {
  beforeAll(async () => {
    const catalog = createCatalogStore({ call: gateway.store.call, table: 'catalog' });
    for (const row of rows) await catalog.put(row, { source: 'operator' });
  });

  const messages = [{ role: 'user', content: 'What is new?' }];
  const toClaude = (...tools: readonly object[]) =>
    ({
      path: '/v1/messages',
      body: { model: 'acme/claude', max_tokens: 1_000, messages, tools },
    }) as const;
  const toGpt = (more: object = {}) =>
    ({
      path: '/v1/responses',
      body: {
        model: 'acme/gpt',
        max_output_tokens: 1_000,
        input: 'What is new?',
        tools: [{ type: 'web_search' }],
        ...more,
      },
    }) as const;
  const fetches = { type: 'web_fetch_20250910', name: 'web_fetch' };
  const searches = { type: 'web_search_20250305', name: 'web_search' };
  const example = [{ type: 'image', source: { type: 'x' }, text: 'a'.repeat(1_500_000) }];
  const falseImage = { name: 't', input_schema: { type: 'object' }, input_examples: example };

  /** So many at once; gives how many were answered. */
  async function askMany({ path, body }: { path: string; body: object }, budget: number, count: number) {
    const { secret, key } = await gateway.newKey({ key: { monthlyBudget: budget * dollar } });
    gateway.upstream.script(readingUpstream);
    const statuses = await Promise.all(
      Array.from({ length: count }, async () => {
        const response = await gateway.ask(secret, body, { path });
        await response.text();
        return response.status;
      }),
    );
    const answered = statuses.filter((status) => status === 200).length;
    const usage = answered > 0 ? await gateway.settledUsageOf(key) : await gateway.usageOf(key);
    return { answered, used: (usage?.committed ?? 0) / dollar };
  }

  test.each([
    ['a fetch, however little is left', toClaude({ ...fetches, max_uses: 1 }), 0.3, 0],
    ['fetches without a bound', toClaude(fetches), 0.3, 0],
    [
      'a fetch with bounds of its own',
      toClaude({ ...fetches, max_uses: 2, max_content_tokens: 5_000 }),
      1,
      3,
    ],
    [
      'a fetch whose number of calls is lowered',
      toClaude({ ...fetches, max_content_tokens: 10_000 }),
      0.4,
      1,
    ],
    ['a search where the context fits', toClaude({ ...searches, max_uses: 5 }), 20, 1],
    ['a search without a bound', toClaude(searches), 10, 1],
    ['a search where the context does not fit', toClaude(searches), 1, 0],
    ['what only looks like an image', toClaude(falseImage), 0.2, 0],
    ['a search of another model', toGpt(), 30, 1],
    ['a search of another model, where its context does not fit', toGpt(), 1, 0],
    ['a search of Claude through Responses', toGpt({ model: 'acme/claude' }), 15, 1],
  ])('%s: a budget is not passed', async (_, asked, budget, least) => {
    const { answered, used } = await askMany(asked, budget, 20);
    expect(used).toBeLessThanOrEqual(budget);
    expect(answered).toBeGreaterThanOrEqual(least);
    expect(answered > 0).toBe(least > 0);
  });

  test('of sixty at once, too', async () => {
    const { answered, used } = await askMany(
      toClaude({ ...fetches, max_uses: 1, max_content_tokens: 2_000 }),
      1,
      60,
    );
    expect(used).toBeLessThanOrEqual(1);
    expect(answered).toBeGreaterThan(10);
  });

  /** Streams with hidden reasoning, of callers who leave after the first text. Gives what was booked, and what the provider counts. */
  async function leaveMany(budget: number, count: number, isCut: boolean) {
    const { secret, key } = await gateway.newKey({ key: { monthlyBudget: budget * dollar } });
    let counted = 0;
    gateway.upstream.script(async ({ body }, response) => {
      const send = (type: string, fields: object) =>
        response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
      const usage = { input_tokens: 50, output_tokens: 1 };
      counted += 50 * 5 + Number(body.max_tokens) * 25;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      send('message_start', { message: { id: 'm', type: 'message', role: 'assistant', content: [], usage } });
      send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
      send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Well' } });
      await pause(100);
      if (isCut) return void response.destroy();
      send('content_block_stop', { index: 0 });
      send('message_delta', {
        delta: { stop_reason: 'max_tokens' },
        usage: { output_tokens: body.max_tokens },
      });
      send('message_stop', {});
      response.end();
    });
    const { path, body } = toClaude();
    const statuses = await Promise.all(
      Array.from({ length: count }, async () => {
        const leaving = new AbortController();
        const { signal } = leaving;
        const response = await gateway.ask(secret, { ...body, stream: true }, { path, signal });
        const reader = response.body?.getReader();
        await reader?.read();
        leaving.abort();
        return response.status;
      }),
    );
    const answered = statuses.filter((status) => status === 200).length;
    const used = (await gateway.settledUsageOf(key))?.committed ?? 0;
    return { answered, used: used / dollar, counted: counted / 1e6 };
  }

  test.each([
    [
      'read on to their count',
      false,
      (used: number, counted: number) => expect(used).toBeCloseTo(counted, 9),
    ],
    ['without a count', true, (used: number) => expect(used).toBeGreaterThan(0)],
  ])('of sixty streams that are left, %s, too', async (_, isCut, check) => {
    const { answered, used, counted } = await leaveMany(1, 60, isCut);
    expect(used).toBeLessThanOrEqual(1);
    expect(answered).toBeGreaterThan(10);
    check(used, counted);
  });

  test('a lowered number of calls is on record', async () => {
    const { secret } = await gateway.newKey({ key: { monthlyBudget: 15 * dollar } });
    gateway.upstream.script(readingUpstream);
    const { path, body } = toGpt({ extra: { debug: ['normalizations'] } });
    const answer = (await (await gateway.ask(secret, body, { path })).json()) as {
      debug: { normalizations: unknown };
    };
    expect(answer.debug.normalizations).toContainEqual(
      expect.objectContaining({ param: 'max_tool_calls', action: 'add', before: null, after: 1 }),
    );
    expect(gateway.upstream.requests.at(-1)?.body).toMatchObject({ max_tool_calls: 1 });
  });

  test('a refusal names the tool and the amount', async () => {
    const { secret } = await gateway.newKey({ key: { credit: dollar } });
    const { path, body } = toClaude(fetches);
    const response = await gateway.ask(secret, body, { path });
    const { error } = (await response.json()) as { error: { message: string; param: string } };
    expect([response.status, error.param]).toEqual([402, 'tools.0']);
    expect(error.message).toMatch(/web_fetch_20250910 may bring in many tokens, which cost up to 6\.\d+ USD/);
  });

  test('without a budget, nothing of the request is changed', async () => {
    const { secret } = await gateway.newKey({ key: { requestsPerMinute: 10 } });
    gateway.upstream.script(readingUpstream);
    const { path, body } = toClaude(fetches);
    expect((await gateway.ask(secret, body, { path })).status).toBe(200);
    expect(gateway.upstream.requests.at(-1)?.body).toMatchObject({ tools: [fetches] });
  });
});
