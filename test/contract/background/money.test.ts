/** What responses that are created in the background cost, and what they may: budgets, keys and their permissions. */
import { randomUUID } from 'node:crypto';
import type OpenAI from 'openai';
import { expect, test } from 'vitest';
import { hashApiKey } from '../../../lib/core/names/api-key.ts';
import { createKeyStore, type NewApiKey } from '../../../lib/stores/access/keys.ts';
import { createAggregateStore } from '../../../lib/stores/usage/aggregate.ts';
import { chatChunk, chatUsage } from '../../harness/chat-answers.ts';
import { lastTwoDays } from '../../harness/ledger.ts';
import { model, until, useBackgroundGateway } from '../../harness/responses/background-gateway.ts';
import { answerEvents } from '../../harness/upstream.ts';

const background = useBackgroundGateway();
const body = { model, input: 'Count. '.repeat(60), background: true, max_output_tokens: 50 };
const used = chatChunk({}, null, { choices: [], usage: chatUsage(100, 50) });
const costOfOne = 100 * 1_000 + 50 * 2_000;

async function newKey(key: NewApiKey): Promise<string> {
  const keys = createKeyStore({ call: background.ledger.call, table: 'access' });
  return (await keys.create(key)).secret;
}

/** A client with a key of a tenant of its own. */
async function newCaller(terms: Partial<NewApiKey> = {}) {
  const tenant = `t-${randomUUID().slice(0, 8)}`;
  const secret = await newKey({ tenant, ...terms });
  const client = background.client().withOptions({ apiKey: secret });
  return { tenant, secret, client, records: () => background.ledger.recordsOf(tenant) };
}

const ended = (client: OpenAI, id: string) => until(client, id, 'completed', 'failed', 'cancelled');

/** What is held for one response. */
async function heldForOne(): Promise<number> {
  const { tenant, client } = await newCaller({ limits: { dailyBudget: 1e12 } });
  const holding = background.hold();
  await client.responses.create(body);
  const store = createAggregateStore({ call: background.ledger.call, table: 'usage', now: Date.now });
  const [open] = await store.opened(tenant, lastTwoDays());
  (await holding).finish();
  return open?.holds?.[0]?.amount ?? Number.NaN;
}

test('of fifty that are sent at once, a budget for ten admits ten, and the others are refused at once', async () => {
  const dailyBudget = 10 * (await heldForOne());
  const { client, records } = await newCaller({ limits: { dailyBudget } });
  const before = background.upstream.total;
  const { promise: areAllSent, resolve } = Promise.withResolvers<void>();
  const events = answerEvents([chatChunk({ content: 'One' }), chatChunk({}, 'stop'), used]);
  background.upstream.script(async (request, response) => {
    await areAllSent;
    await events(request, response);
  });
  const created = await Promise.allSettled(Array.from({ length: 50 }, () => client.responses.create(body)));
  const ids = created.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
  const refused = created.flatMap((one) => (one.status === 'rejected' ? [one.reason.status] : []));
  expect([ids.length, refused]).toEqual([10, Array.from({ length: 40 }, () => 429)]);
  resolve();
  const all = await Promise.all(ids.map((id) => ended(client, id)));
  expect(all.every(({ status }) => status === 'completed')).toBe(true);
  expect(background.upstream.total - before).toBe(10);
  await expect.poll(async () => (await records()).map(({ cost }) => cost)).toEqual(Array(10).fill(costOfOne));
});

test.each([
  ['has expired by now', { expiresAt: 1 }, 'The API key of the request is disabled or expired by now.'],
  ['may not use the model', { models: ['other/*'] }, 'no permission for the model'],
  ['may not use the operation', { operations: ['embeddings'] }, 'no permission for POST'],
] as const)('a run whose key %s fails, and costs nothing', async (_what, terms, message) => {
  const { tenant, secret, records } = await newCaller(terms);
  const client = background.client().withOptions({ apiKey: await newKey({ tenant }) });
  const before = background.upstream.total;
  const runs = background.runsAt(() => Date.now() - 31_000);
  const ref = { tenant, id: `resp_${randomUUID().replaceAll('-', '')}` };
  const begun = { id: ref.id, object: 'response', background: true, status: 'queued', output: [] };
  const keyHash = hashApiKey(secret);
  await runs.create(ref, { keyHash, headers: {}, streamed: false, request: body, begun });
  const { status, error } = await ended(client, ref.id);
  expect([status, error?.message]).toEqual(['failed', expect.stringContaining(message)]);
  expect(background.upstream.total).toBe(before);
  for (const { cost } of await records()) expect(cost).toBe(0);
});

test('a response that is deleted while it runs is billed once, for what was generated', async () => {
  const { client, records } = await newCaller();
  const holding = background.hold();
  const { id } = await client.responses.create(body);
  const held = await holding;
  held.say('One');
  await until(client, id, 'in_progress');
  await client.responses.delete(id);
  expect(await held.over).toBe(false);
  await expect.poll(async () => (await records()).length).toBe(1);
  expect((await records())[0]?.cost).toBeGreaterThan(0);
  expect((await records())[0]?.cost).toBeLessThanOrEqual(costOfOne);
});

test('a stream that is created in the background has one record', async () => {
  const { client, records } = await newCaller();
  const holding = background.hold();
  const stream = await client.responses.create({ ...body, stream: true });
  const held = await holding;
  held.say('One');
  held.finish();
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  expect(types.at(-1)).toBe('response.completed');
  await expect.poll(async () => (await records()).map(({ cost }) => cost)).toEqual([costOfOne]);
});
