/** What responses that are created in the background cost, and what they may: budgets, keys and their permissions. */
import { randomUUID } from 'node:crypto';
import type OpenAI from 'openai';
import { expect, test } from 'vitest';
import { hashApiKey } from '../../../lib/core/names/api-key.ts';
import { createKeyStore, type NewApiKey } from '../../../lib/stores/access/keys.ts';
import { model, until, useBackgroundGateway } from '../../harness/responses/background-gateway.ts';
import { answerEvents } from '../../harness/upstream.ts';

const background = useBackgroundGateway();
const body = { model, input: 'Count. '.repeat(60), background: true, max_output_tokens: 50 };
const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  model: 'held',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const used = {
  ...chunk({}),
  choices: [],
  usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
};
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

test('of fifty that are queued at once, a budget lets through what it can pay, and each of those has one record', async () => {
  const dailyBudget = 10 * costOfOne;
  const { client, records } = await newCaller({ limits: { dailyBudget } });
  const before = background.upstream.total;
  background.upstream.script(answerEvents([chunk({ content: 'One' }), chunk({}, 'stop'), used]));
  const created = await Promise.allSettled(Array.from({ length: 50 }, () => client.responses.create(body)));
  const ids = created.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
  const all = await Promise.all(ids.map((id) => ended(client, id)));
  const completed = all.filter(({ status }) => status === 'completed');
  expect(completed.length).toBeGreaterThan(0);
  expect(background.upstream.total - before).toBe(completed.length);
  await expect
    .poll(async () => (await records()).filter(({ cost }) => cost !== 0).length)
    .toBe(completed.length);
  const costs = (await records()).map(({ cost }) => cost ?? Number.NaN);
  expect(costs.reduce((sum, cost) => sum + cost, 0)).toBe(completed.length * costOfOne);
  expect(completed.length * costOfOne).toBeLessThanOrEqual(dailyBudget);
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
