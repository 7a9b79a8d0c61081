/** What an answer is charged, in its `usage`, for callers that ask: the same in every operation, and read by OpenAI's SDK. */
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { startWatchedSandbox } from '../harness/gateways/watched-sandbox.ts';
import { openLedger } from '../harness/ledger.ts';
import { startUpstream } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';

let gateway: TestGateway;
let client: OpenAI;
/** The next call of a provider is taken, and ends without an answer: what it costs stays unknown. */
let isDropped = false;

const sandbox = use(() => startWatchedSandbox('openai'));
const upstream = use(() => startUpstream());
beforeAll(async () => {
  upstream.script(async ({ path, body }, response) => {
    if (isDropped) {
      isDropped = false;
      return void response.socket?.resetAndDestroy();
    }
    const answer = await fetch(`${sandbox.environment.OPENAI_UPSTREAM_URL}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    response.writeHead(answer.status, { 'content-type': `${answer.headers.get('content-type')}` });
    response.end(await answer.text());
  });
  gateway = await startTestGateway({ OPENAI_UPSTREAM_URL: upstream.url, OPENAI_API_KEY: 'sandbox' });
  // A markup of 20 %: the answer has the charge, and not the provider's cost.
  const ledger = openLedger();
  const tenants = createTenantStore({ call: ledger.call, table: 'access' });
  await tenants.replacePricing('local', undefined, [{ from: 0, markup: 2_000 }]);
  await ledger.close();
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.apiKey, maxRetries: 0 });
});
afterAll(async () => {
  await gateway?.close();
});

const model = 'openai/gpt-4.1';
const messages = [{ role: 'user' as const, content: 'Say something.' }];

/** The fields with which callers ask for it are none of OpenAI's. */
type More = { readonly usage?: { readonly include: boolean }; readonly extra?: object };

const operations = {
  chat: (more: More) => client.chat.completions.create({ model, messages, ...more }).withResponse(),
  completions: (more: More) => client.completions.create({ model, prompt: 'Go on.', ...more }).withResponse(),
  responses: (more: More) => client.responses.create({ model, input: 'Go on.', ...more }).withResponse(),
  compaction: (more: More) => client.responses.compact({ model, input: 'Go on.', ...more }).withResponse(),
  embeddings: (more: More) =>
    client.embeddings
      .create({ model: 'openai/text-embedding-3-small', input: 'One', ...more })
      .withResponse(),
  images: (more: More) =>
    client.images.generate({ model: 'openai/gpt-image-2', prompt: 'A lighthouse', ...more }).withResponse(),
};

/** In US dollars: as the ledger has it, and as one request shows it. */
async function chargeOf({ headers }: Response): Promise<number | null> {
  const path = `/v1/usage/requests/${headers.get('x-request-id')}`;
  const answer = await fetch(`${gateway.url}${path}`, {
    headers: { authorization: `Bearer ${gateway.apiKey}` },
  });
  const { cost_nano_usd } = (await answer.json()) as { readonly cost_nano_usd: number | null };
  return cost_nano_usd === null ? null : cost_nano_usd / 1_000_000_000;
}

const include = { usage: { include: true } };
const debug = { extra: { debug: ['cost'] } };

describe.each(Object.entries(operations))('of %s', (name, ask) => {
  test.each([include, debug])('is what the tenant is charged, for %j', async (asked) => {
    const { data, response } = await ask(asked);
    const { usage } = data as {
      readonly usage?: { readonly cost?: unknown; readonly total_tokens?: unknown };
    };
    expect(usage?.cost).toBeGreaterThan(0);
    expect(usage?.cost).toBe(await chargeOf(response));
    expect(usage?.total_tokens).toBeGreaterThan(0);
    if (asked === debug) expect(data).toMatchObject({ debug: { cost: usage?.cost } });
  });

  test('has the estimate of a call whose counts were lost, and is null where there is none', async () => {
    isDropped = true;
    const { data, response } = await ask(include);
    expect(isDropped).toBe(false);
    const charge = await chargeOf(response);
    expect(data).toMatchObject({ usage: { cost: charge } });
    expect(charge === null).toBe(name === 'images');
  });

  test.each([{}, { usage: { include: false } }])('is not there for %j', async (asked) => {
    expect((await ask(asked)).data).not.toHaveProperty('usage.cost');
  });
});

describe('of a stream', () => {
  test('of chat and of text completions is in the last chunk', async () => {
    const chat = await client.chat.completions.create({ model, messages, stream: true, ...include });
    const text = await client.completions.create({ model, prompt: 'Go on.', stream: true, ...include });
    for (const last of [(await Array.fromAsync(chat)).at(-1), (await Array.fromAsync(text)).at(-1)]) {
      expect(last).toMatchObject({ choices: [], usage: { cost: expect.any(Number) } });
    }
  });

  test('of a response is in its last event, and in no other', async () => {
    const stream = await client.responses.create({ model, input: 'Go on.', stream: true, ...include });
    const events = await Array.fromAsync(stream);
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { usage: { cost: expect.any(Number) } },
    });
    expect(JSON.stringify(events.slice(0, -1))).not.toContain('"cost"');
  });
});

test('a stored response keeps it, so that it reads as it was answered', async () => {
  const answered = await client.responses.create({ model, input: 'Go on.', ...include });
  const stored = await client.responses.retrieve(answered.id);
  expect(stored.usage).toEqual(answered.usage);
  expect(stored.usage).toHaveProperty('cost');
  const plain = await client.responses.create({ model, input: 'Go on.' });
  expect((await client.responses.retrieve(plain.id)).usage).not.toHaveProperty('cost');
});

test('the count of input tokens has no usage, and takes the field of the response that it counts for', async () => {
  const answer = await gateway.post('/v1/responses/input_tokens', { model, input: 'Go on.', ...include });
  expect(answer.status).toBe(200);
  expect(await answer.json()).not.toHaveProperty('usage');
});

test.each(Object.entries(operations))('of %s: another word in its place is refused', async (_, ask) => {
  const wrong = { usage: { includes: true } } as never;
  await expect(ask(wrong)).rejects.toMatchObject({ status: 400, param: 'usage.includes' });
});
