/** Cached answers, through the gateway: who gets them, in which form, what they cost, and what is never cached. */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { dryVerdictIn, hit, miss, states, usage, useCachedAnswers } from '../harness/cached-answers.ts';

const cached = useCachedAnswers();
const { gateway, access, ledger, newQuestion, newKey, chat, ask } = cached;

/** What is of the request and not of its answer. */
const withoutIdentity = (text: string) =>
  text
    .replace(/"(id|item_id)":"[^"]*"/g, '"$1":""')
    .replace(/"(created|created_at|completed_at)":\d+/g, '"$1":0')
    .replace(/,"debug":\{.*?\}(,"cost":[^}]*)?\}(?=[,}])/g, '')
    .replace(/,"cost":[\d.e-]+/g, '')
    .replace(/"obfuscation":"[^"]*"/g, '"obfuscation":""');

const operations: Readonly<Record<string, (text: string) => readonly [string, object]>> = {
  chat: (text) => [
    '/v1/chat/completions',
    { model: 'cached/one', messages: [{ role: 'user', content: text }] },
  ],
  Responses: (text) => ['/v1/responses', { model: 'cached/one', input: text }],
  Messages: (text) => [
    '/v1/messages',
    { model: 'cached/one', max_tokens: 100, messages: [{ role: 'user', content: text }] },
  ],
  'Messages at Anthropic': (text) => [
    '/v1/messages',
    { model: 'anthropic/claude-haiku-4-5', max_tokens: 100, messages: [{ role: 'user', content: text }] },
  ],
  completions: (text) => ['/v1/completions', { model: 'cached/one', prompt: text }],
};

describe.each(Object.entries(operations))('%s', (_, operation) => {
  test.each([
    ['a body', 'a body', false, false],
    ['a body', 'a stream', false, true],
    ['a stream', 'a body', true, false],
    ['a stream', 'a stream', true, true],
  ])('%s is given again as %s', async (_first, _second, first, second) => {
    const { authorization } = await newKey();
    const [path, body] = operation(newQuestion());
    const asked = (stream: boolean) =>
      ask(authorization, { ...body, stream, extra: { cache: { ttl: 60 } } }, { path });
    const [one, other] = [await asked(first), await asked(second)];
    expect(states(one, other)).toEqual([miss, hit]);
    expect(other.headers.get('x-gateway-cache-ttl')).toBe('60');
    expect(Number(other.headers.get('age'))).toBeLessThan(10);
    expect(other.headers.get('x-gateway-cache-source')).toBe(one.headers.get('x-request-id'));
    expect(one.text).toContain(cached.last());
    expect(other.text).toContain(cached.last());
    if (first !== second) return;
    expect(withoutIdentity(other.text)).toBe(withoutIdentity(one.text));
    expect(other.text).not.toBe(one.text);
  });
});

const asks = {
  ...operations,
  embeddings: (input: string) =>
    ['/v1/embeddings', { model: 'openai/text-embedding-3-small', input }] as const,
};

test.each(Object.entries(asks))(
  'a dry run of %s says what the call after it gets',
  async (name, operation) => {
    const { authorization, tenant } = await newKey();
    const [path, body] = operation(newQuestion());
    for (const stream of name === 'embeddings' ? [{}, {}] : [{ stream: true }, { stream: false }]) {
      const asked = (extra: object) =>
        ask(authorization, { ...body, ...stream, extra: { cache: {}, ...extra } }, { path });
      const dry = await asked({ dry_run: true });
      const call = await asked({});
      const source = call.headers.get('x-gateway-cache-source');
      expect([dry.status, dry.calls, dry.cache]).toEqual([200, 0, null]);
      expect(dryVerdictIn(dry.text)).toEqual({
        status: call.cache,
        ttl: 300,
        ...(source !== null && { source, age: expect.any(Number) }),
      });
    }
    expect(await ledger.recordsOf(tenant)).toHaveLength(2);
  },
);

test('a dry run of a cached answer fits where a budget is used up', async () => {
  const { authorization, tenant } = await newKey();
  const shared = chat(newQuestion(), { extra: { cache: { scope: 'tenant' } } });
  await ask(authorization, shared);
  const limited = await access.newKey({ tenant, limits: { dailyBudget: 1 } });
  const fits = async (body: object) =>
    JSON.parse((await ask(limited.authorization, body)).text).debug.dry_run.fits;
  const dry = { ...shared, extra: { ...shared.extra, dry_run: true } };
  expect([await fits(dry), await fits({ ...dry, seed: 1 })]).toEqual([true, false]);
});

test('embeddings are the same, bit by bit, in each encoding', async () => {
  const { authorization } = await newKey();
  const input = newQuestion();
  const asked = (more: object) =>
    ask(
      authorization,
      { model: 'openai/text-embedding-3-small', input, ...more, extra: { cache: {} } },
      { path: '/v1/embeddings' },
    );
  const [one, other] = [await asked({}), await asked({})];
  expect(states(one, other)).toEqual([miss, hit]);
  expect(other.text).toBe(one.text);
  const encoded = await asked({ encoding_format: 'base64' });
  expect(states(encoded)).toEqual([hit]);
  const bytes = Buffer.from(JSON.parse(encoded.text).data[0].embedding, 'base64');
  expect([...new Float32Array(new Uint8Array(bytes).buffer)]).toEqual(JSON.parse(one.text).data[0].embedding);
});

test.each<[string, object, object]>([
  [
    'calls of tools',
    {
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'get', arguments: '{"a":"ü"}' } }],
      },
    },
    { tools: [{ type: 'function', function: { name: 'get', parameters: { type: 'object' } } }] },
  ],
  ['reasoning', { message: { role: 'assistant', content: 'So.', reasoning: 'I think.' } }, {}],
  [
    'log probabilities',
    {
      logprobs: {
        content: [{ token: 'So', logprob: -0.12345678901234568, bytes: [83, 111], top_logprobs: [] }],
        refusal: null,
      },
    },
    { logprobs: true },
  ],
  ['two choices', {}, { model: 'openai/gpt-4.1-mini', n: 2 }],
])('%s are repeated', async (_, given, more) => {
  cached.answer({ choice: given });
  const { authorization } = await newKey();
  // Several choices are not streamed.
  for (const stream of 'n' in more ? [false] : [false, true]) {
    const body = chat(newQuestion(), { ...more, stream });
    const [one, other] = [await ask(authorization, body), await ask(authorization, body)];
    expect(states(one, other)).toEqual([miss, hit]);
    expect(withoutIdentity(other.text)).toBe(withoutIdentity(one.text));
  }
});

test('the stream classes of the SDKs read a repeated answer', async () => {
  const { authorization } = await newKey();
  const apiKey = authorization.replace('Bearer ', '');
  const openai = new OpenAI({
    apiKey,
    baseURL: `${gateway.url}/v1`,
    defaultHeaders: { 'x-gateway-cache': 'true' },
  });
  const anthropic = new Anthropic({
    apiKey,
    baseURL: gateway.url,
    defaultHeaders: { 'x-gateway-cache': 'true' },
  });
  const content = newQuestion();
  const messages = [{ role: 'user' as const, content }];
  const texts: unknown[] = [];
  for (const _ of [1, 2]) {
    const completion = await openai.chat.completions
      .stream({ model: 'cached/one', messages })
      .finalChatCompletion();
    const response = await openai.responses.stream({ model: 'cached/one', input: content }).finalResponse();
    const [first, second] = ['cached/one', 'anthropic/claude-haiku-4-5'].map((model) =>
      anthropic.messages.stream({ model, max_tokens: 99, messages }).finalText(),
    );
    texts.push([completion.choices[0]?.message.content, response.output_text, await first, await second]);
  }
  expect(texts[1]).toEqual(texts[0]);
});

test('a hit of Responses is stored under its new id, and can be continued', async () => {
  const { authorization } = await newKey();
  const body = { model: 'cached/one', input: newQuestion(), extra: { cache: {} } };
  const path = '/v1/responses';
  await ask(authorization, body, { path });
  const again = await ask(authorization, body, { path });
  expect(states(again)).toEqual([hit]);
  const { id } = JSON.parse(again.text);
  const next = {
    ...body,
    input: 'And then?',
    previous_response_id: id,
    extra: { cache: {}, debug: ['cache'] },
  };
  const continued = await ask(authorization, next, { path });
  expect([continued.status, continued.cache]).toEqual([200, 'bypass']);
  expect(JSON.parse(continued.text).debug.cache).toEqual({ status: 'bypass', reason: 'stored_conversation' });
});

describe('who gets an answer', () => {
  test('by default those with the same key, and never another tenant', async () => {
    const one = await newKey();
    const sibling = await newKey({ tenant: one.tenant });
    const stranger = await newKey();
    const body = chat();
    const asked = [one, one, sibling, stranger].map(({ authorization }) => authorization);
    const all = [];
    for (const authorization of asked) all.push(await ask(authorization, body));
    expect(states(...all)).toEqual([miss, hit, miss, miss]);
  });

  test('of the scope tenant, all of its keys; of the scope user, the same user of them', async () => {
    const one = await newKey();
    const sibling = await newKey({ tenant: one.tenant });
    const stranger = await newKey();
    const shared = chat(newQuestion(), { extra: { cache: { scope: 'tenant' } } });
    const all = [];
    for (const { authorization } of [one, sibling, stranger]) all.push(await ask(authorization, shared));
    const own = chat(newQuestion(), { extra: { cache: { scope: 'user' } } });
    for (const user of ['ada', 'bob', 'ada'])
      all.push(await ask(one.authorization, own, { headers: { 'x-gateway-user-id': user } }));
    expect(states(...all)).toEqual([miss, hit, miss, miss, miss, hit]);
    const nobody = await ask(one.authorization, own);
    expect([nobody.status, JSON.parse(nobody.text).error.param]).toEqual([400, 'extra.cache.scope']);
  });

  test('not who asks another model, or the same otherwise', async () => {
    const { authorization } = await newKey();
    const text = newQuestion();
    const bodies = [
      chat(text),
      chat(text, { model: 'cached/other' }),
      chat(text, { temperature: 0.5 }),
      chat(text, { seed: 4 }),
      chat(text, { service_tier: 'flex' }),
      chat(text, { provider: { order: ['groq'] } }),
      chat(`${text} `),
    ];
    const all = [];
    for (const body of bodies) all.push(await ask(authorization, body));
    expect(states(...all)).toEqual(bodies.map(() => miss));
  });
});

describe('what is asked for', () => {
  test('nothing is cached without a word, and no header says so', async () => {
    const { authorization } = await newKey();
    const body = { ...chat(), extra: {} };
    expect(states(await ask(authorization, body), await ask(authorization, body))).toEqual([
      [null, 1],
      [null, 1],
    ]);
  });

  test('by the setting of a tenant, by a header, and by those of OpenRouter', async () => {
    const byDefault = await newKey({}, { cache: { default: true, ttl: 90 } });
    const plain = await newKey();
    const body = { ...chat(), extra: {} };
    const all = [await ask(byDefault.authorization, body), await ask(byDefault.authorization, body)];
    const headers: readonly Record<string, string>[] = [
      { 'x-gateway-cache': 'true' },
      { 'x-openrouter-cache': 'true', 'x-openrouter-cache-ttl': '30' },
      { 'x-openrouter-cache': 'true', 'x-openrouter-cache-clear': 'true' },
      { 'x-openrouter-cache': 'true' },
    ];
    for (const one of headers) all.push(await ask(plain.authorization, body, { headers: one }));
    expect(states(...all)).toEqual([miss, hit, miss, hit, miss, hit]);
    expect(all.map((one) => one.headers.get('x-gateway-cache-ttl'))).toEqual([
      '90',
      '90',
      '300',
      '30',
      '300',
      '300',
    ]);
    const off = await ask(byDefault.authorization, body, { headers: { 'x-gateway-cache': 'false' } });
    expect(states(off)).toEqual([['bypass', 1]]);
    const wrong = await ask(plain.authorization, body, { headers: { 'x-gateway-cache': 'maybe' } });
    expect([wrong.status, JSON.parse(wrong.text).error.param]).toEqual([400, 'x-gateway-cache']);
  });

  test('what the tenant has switched off stays off, and its longest time is the longest', async () => {
    const off = await newKey({ cache: { default: true } }, { cache: { off: true } });
    expect(JSON.parse((await ask(off.authorization, chat())).text).debug.cache).toEqual({
      status: 'bypass',
      reason: 'off',
    });
    const short = await newKey({ cache: { maxTtl: 3_600 } }, { cache: { maxTtl: 20 } });
    const asked = await ask(short.authorization, chat(newQuestion(), { extra: { cache: { ttl: 86_400 } } }));
    expect(asked.headers.get('x-gateway-cache-ttl')).toBe('20');
  });

  test('a refreshed answer takes the place of the earlier one', async () => {
    const { authorization } = await newKey();
    const text = newQuestion();
    const [first, fresh, last] = [
      await ask(authorization, chat(text)),
      await ask(authorization, chat(text, { extra: { cache: { refresh: true } } })),
      await ask(authorization, chat(text)),
    ];
    expect(states(first, fresh, last)).toEqual([miss, miss, hit]);
    expect(last.headers.get('x-gateway-cache-source')).toBe(fresh.headers.get('x-request-id'));
  });
});

describe('what it costs', () => {
  test('a hit is one record without attempts, cost and charge, with the tokens apart', async () => {
    const { authorization, tenant } = await newKey();
    const body = chat();
    const [one, other] = [await ask(authorization, body), await ask(authorization, body)];
    const answer = JSON.parse(other.text);
    expect(answer.usage).toMatchObject({ ...usage, cost: 0 });
    expect(answer.debug.cost).toBe(0);
    const records = await ledger.recordsOf(tenant);
    const record = records.find(({ requestId }) => requestId === other.headers.get('x-request-id'));
    expect(record).toMatchObject({
      model: 'cached/one',
      provider: 'groq',
      attempts: [],
      cost: 0,
      charge: 0,
      status: 200,
      replayed: { of: one.headers.get('x-request-id'), promptTokens: 11, completionTokens: 7 },
    });
  });

  test('a hit passes a budget that is used up, and counts in requests a minute', async () => {
    const { authorization, tenant } = await newKey();
    const limited = await access.newKey({ tenant, limits: { dailyBudget: 1, requestsPerMinute: 2 } });
    const shared = { extra: { cache: { scope: 'tenant' } } };
    const body = chat(newQuestion(), shared);
    const all = [
      await ask(authorization, body),
      await ask(limited.authorization, chat(newQuestion(), shared)),
    ];
    for (const _ of [1, 2, 3]) all.push(await ask(limited.authorization, body));
    expect(all.map(({ status, cache }) => [status, cache])).toEqual([
      [200, 'miss'],
      [429, null],
      [200, 'hit'],
      [200, 'hit'],
      [429, null],
    ]);
  });
});
