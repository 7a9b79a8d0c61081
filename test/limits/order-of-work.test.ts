/** What a limit refuses is refused before the request is worth any work, and never by mistake. */
import { describe, expect, test } from 'vitest';
import { newApiKey } from '../../lib/core/names/api-key.ts';
import type { OperationName } from '../../lib/core/operations.ts';
import { refusalKeptMs } from '../../lib/metering/limits/refused-lately.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { suspendTenant } from '../harness/access.ts';
import { cpuOf } from '../harness/cpu.ts';
import { postJson } from '../harness/post.ts';
import { settled } from '../harness/settled.ts';
import { maxTokens, question, until, useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway();

const messagesOf = (count: number) =>
  Array.from({ length: count }, () => ({ role: 'user', content: 'Hello.' }));

/** Six megabytes of 150,000 messages: what takes long to parse and to validate. */
const large = { ...question, messages: messagesOf(150_000) };
/** More than is read before the key is known. */
const medium = { ...question, messages: messagesOf(3_000) };
const largeEmbeddings = {
  model: 'cohere/embed-v4.0',
  input: Array.from({ length: 9 }, () => ' '.repeat(1_000_000)),
};

async function send(secret: string, body: object | string, path = '/v1/chat/completions') {
  const response = await postJson(`${gateway.url()}${path}`, secret, body);
  const { error } = (await response.json()) as { readonly error?: { readonly code: string } };
  return { status: response.status, headers: response.headers, code: error?.code };
}

/** With the work it is more than twenty times, and without it about once: the rest is what else the process does. */
const mostTimes = 4;

/**
 * The processor time of a refusal, as a multiple of what it costs to receive the same bytes and to refuse them by the form of the
 * key: the HTTP server, its client and the event are part of both.
 */
async function cpuRatio(secret: string, body: object, path?: string): Promise<number> {
  const text = JSON.stringify(body);
  const receiving = await cpuOf(() => send('no key', text, path));
  return (await cpuOf(() => send(secret, text, path))) / receiving;
}

/** What requests read of limits and stored responses while an action runs. */
async function readsOf(action: () => Promise<unknown>): Promise<readonly string[]> {
  const reads: string[] = [];
  // What follows from earlier requests reads limits, too.
  await settled();
  gateway.store.setFaults((name, table, body) => {
    const isLimit = body.includes('"limit#') && !body.includes('seen#');
    if (name === 'GetItem' && (isLimit || table === 'state')) reads.push(isLimit ? 'limit' : table);
    return undefined;
  });
  await action();
  gateway.store.setFaults(undefined);
  return reads;
}

async function usedUp() {
  const made = await gateway.newKey({ key: { requestsPerMinute: 1 } });
  await (await gateway.ask(made.secret)).text();
  await gateway.settledUsageOf(made.key);
  await until(() => gateway.store.idleMs() > 100);
  return made.secret;
}

async function keyWith(policy: {
  readonly models?: readonly string[];
  readonly operations?: readonly OperationName[];
}) {
  const { tenant } = await gateway.newKey({});
  const keys = createKeyStore({ call: gateway.store.call, table: 'access' });
  return (await keys.create({ tenant: tenant.id, ...policy })).secret;
}

describe('the work for a large body', () => {
  test('is not done for a stranger with a made-up key', async () => {
    const stranger = newApiKey();
    expect((await send(stranger, large)).status).toBe(401);
    expect(await cpuRatio(stranger, large)).toBeLessThan(mostTimes);
  });

  test('is not done where a limit is used up', async () => {
    const secret = await usedUp();
    const refused = await send(secret, large);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(await cpuRatio(secret, large)).toBeLessThan(mostTimes);
  });

  test.each([
    ['a total budget', { totalBudget: 0 }, 402],
    ['the budget of a month', { monthlyBudget: 0 }, 429],
  ])('is not done where %s is used up', async (_name, tenant, status) => {
    const { secret } = await gateway.newKey({ tenant });
    const refused = await send(secret, large);
    expect([refused.status, refused.code]).toEqual([status, 'insufficient_quota']);
    expect(await cpuRatio(secret, large)).toBeLessThan(mostTimes);
  });

  test('is not done for a tenant that is suspended', async () => {
    const { secret, tenant } = await gateway.newKey({});
    await suspendTenant({ call: gateway.store.call, table: 'access' }, tenant.id);
    expect((await send(secret, large)).code).toBe('tenant_suspended');
    expect(await cpuRatio(secret, large)).toBeLessThan(mostTimes);
  });

  test('is not done for an operation that the key may not use', async () => {
    const secret = await keyWith({ operations: ['embeddings'] });
    expect((await send(secret, large)).code).toBe('operation_not_allowed');
    expect(await cpuRatio(secret, large)).toBeLessThan(mostTimes);
  });

  test('is done for a request that its limits allow', async () => {
    const { secret } = await gateway.newKey({ key: { requestsPerMinute: 1, monthlyBudget: 1e12 } });
    expect((await send(secret, medium)).status).toBe(200);
    expect((await send(secret, medium)).status).toBe(429);
  });
});

describe('where the key may not use a model', () => {
  const allowed = 'openai/gpt-5.5';
  const follows = { input: 'And?', previous_response_id: 'resp_1' };

  test.each([
    ['the model', '/v1/responses', { ...follows, model: question.model }],
    ['a name without its owner', '/v1/responses', { ...follows, model: 'gpt-4.1' }],
    ['a fallback', '/v1/responses', { ...follows, model: allowed, extra: { fallbacks: [question.model] } }],
    ['the model of a count', '/v1/responses/input_tokens', { ...follows, model: question.model }],
    ['the model of a summary', '/v1/responses/compact', { ...follows, model: question.model }],
  ])('a conversation is not read: %s', async (_name, path, body) => {
    const secret = await keyWith({ models: [allowed] });
    const reads = await readsOf(async () =>
      expect((await send(secret, body, path)).code).toBe('model_not_allowed'),
    );
    expect(reads).toEqual([]);
  });

  test('the tokens of texts to embed are not counted', async () => {
    const secret = await keyWith({ models: [allowed] });
    expect((await send(secret, largeEmbeddings, '/v1/embeddings')).code).toBe('model_not_allowed');
    expect(await cpuRatio(secret, largeEmbeddings, '/v1/embeddings')).toBeLessThan(mostTimes);
  });
});

describe('where a limit is used up', () => {
  test('a conversation is not read', async () => {
    const secret = await usedUp();
    const body = { model: question.model, input: 'And?', previous_response_id: 'resp_1' };
    const reads = await readsOf(async () =>
      expect((await send(secret, body, '/v1/responses')).status).toBe(429),
    );
    expect(reads).toEqual(['limit']);
  });

  test('the tokens of texts to embed are not counted', async () => {
    const secret = await usedUp();
    expect((await send(secret, largeEmbeddings, '/v1/embeddings')).status).toBe(429);
    expect(await cpuRatio(secret, largeEmbeddings, '/v1/embeddings')).toBeLessThan(mostTimes);
  });

  test('nothing is fetched', async () => {
    const secret = await usedUp();
    const part = { type: 'image_url', image_url: { url: `${gateway.upstream.url}/image.png` } };
    const before = gateway.upstream.total;
    const body = { ...question, messages: [{ role: 'user', content: [part] }] };
    expect((await send(secret, body)).status).toBe(429);
    expect(gateway.upstream.total).toBe(before);
  });

  test('a flood of requests reads the limits once', async () => {
    const secret = await usedUp();
    const statuses: number[] = [];
    const reads = await readsOf(async () => {
      for (let request = 0; request < 20; request += 1) statuses.push((await send(secret, question)).status);
      statuses.push((await send(secret, medium)).status);
    });
    expect(new Set(statuses)).toEqual(new Set([429]));
    expect(reads).toEqual(['limit']);
  });
});

test('others are served while tokens are counted', async () => {
  const { secret } = await gateway.newKey({});
  const leave = new AbortController();
  let isOver = false;
  const counting = gateway
    .ask(secret, largeEmbeddings, { path: '/v1/embeddings', signal: leave.signal })
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  let served = 0;
  for (; served < 20 && !isOver; served += 1) {
    expect((await fetch(`${gateway.url()}/v1/models`)).status).toBe(200);
  }
  expect([served, isOver]).toEqual([20, false]);
  // And nothing is counted for a caller who has left.
  leave.abort();
  await counting;
});

describe('a refusal that is remembered', () => {
  test('ends with the minute', async () => {
    const secret = await usedUp();
    gateway.clock.set({ seconds: 59.9 });
    expect((await send(secret, medium)).status).toBe(429);
    gateway.clock.set({ minutes: 1, seconds: 0 });
    expect((await send(secret, medium)).status).toBe(200);
  });

  test('does not outlast the shortest wait, whatever asks meanwhile', async () => {
    const secret = await usedUp();
    await send(secret, question);
    gateway.clock.set({ seconds: 30 + refusalKeptMs / 2000 });
    await send(secret, question);
    gateway.clock.set({ seconds: 30 + refusalKeptMs / 1000 });
    expect(await readsOf(() => send(secret, question))).toEqual(['limit']);
  });

  test('is none while running requests hold what is left', async () => {
    const { secret } = await gateway.newKey({
      key: { concurrentRequests: 1, tokensPerMinute: 3 * maxTokens },
    });
    const release = gateway.hold();
    const first = gateway.ask(secret);
    await until(() => gateway.upstream.requests.length === 1);
    expect((await send(secret, question)).status).toBe(429);
    release();
    await (await first).text();
    expect((await send(secret, question)).status).toBe(200);
  });

  test('refuses no model that costs nothing', async () => {
    const { secret } = await gateway.newKey({ tenant: { monthlyBudget: 0 } });
    const paid = { model: 'cohere/embed-v4.0', input: 'Hi.' };
    const free = { model: 'sionic-ai/comsat-embed-ko-8b-preview', input: 'x '.repeat(6_000) };
    expect((await send(secret, paid, '/v1/embeddings')).code).toBe('insufficient_quota');
    expect((await send(secret, paid, '/v1/embeddings')).code).toBe('insufficient_quota');
    expect((await send(secret, free, '/v1/embeddings')).code).not.toBe('insufficient_quota');
  });
});
