/** The webhook of a tenant receives one event when a background response has ended, after the response can be read. */
import { randomUUID } from 'node:crypto';
import type OpenAI from 'openai';
import { expect, test } from 'vitest';
import { createTenantEdits } from '../../../lib/stores/access/tenant-edits.ts';
import { createTenantStore } from '../../../lib/stores/access/tenants.ts';
import { model, until, useBackgroundGateway } from '../../harness/responses/background-gateway.ts';
import { unwrap, useWebhookReceiver } from '../../harness/webhook-receiver.ts';

const background = useBackgroundGateway();
const receiver = useWebhookReceiver();
const secret = `whsec_${Buffer.from('a secret of the test').toString('base64')}`;
const access = () => ({ call: background.ledger.call, table: 'access' });

/** A client of a new tenant, which has a webhook. */
async function listening(webhook: { url: string; secret: string } | null = { url: receiver.url, secret }) {
  const tenant = `tenant-${randomUUID()}`;
  await createTenantStore(access()).create(tenant, { limits: {} });
  await createTenantEdits(access()).edit(tenant, () => ({ webhook }));
  return { tenant, client: await background.stranger(tenant) };
}

const create = (client: OpenAI, more: object = {}) =>
  client.responses.create({ model, input: 'A canary.', background: true, ...more });

/** A response whose provider has sent a word, and holds back the others. */
async function begun(client: OpenAI) {
  const holding = background.hold();
  const { id } = await create(client);
  const held = await holding;
  held.say('One');
  await until(client, id, 'in_progress');
  return { id, held };
}

/** The events that were received, when there are so many, and no more come. */
async function events(count: number) {
  await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(count);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(receiver.received).toHaveLength(count);
  return await Promise.all(receiver.received.map((one) => unwrap(one, secret)));
}

test('a response that is complete sends an event when it can be read, without its content', async () => {
  const { client } = await listening();
  const holding = background.hold();
  const { id } = await create(client);
  const held = await holding;
  held.say('A secret answer.');
  expect(receiver.received).toEqual([]);
  held.finish();
  const [event] = await events(1);
  expect(event).toMatchObject({ object: 'event', type: 'response.completed', data: { id } });
  expect((await client.responses.retrieve(id)).output_text).toBe('A secret answer.');
  expect(receiver.received[0]?.body).not.toMatch(/canary|secret/);
});

test('a response that is cancelled while it runs sends one event', async () => {
  const { client } = await listening();
  const { id, held } = await begun(client);
  await client.responses.cancel(id);
  await client.responses.cancel(id);
  await held.over;
  expect(await events(1)).toMatchObject([{ type: 'response.cancelled', data: { id } }]);
});

test('a response that is cancelled while it completes sends one event, of what it became', async () => {
  const { client } = await listening();
  for (let n = 1; n <= 5; n += 1) {
    const { id, held } = await begun(client);
    held.finish();
    await client.responses.cancel(id).catch(() => {});
    const { status } = await until(client, id, 'completed', 'cancelled');
    const sent = await events(n);
    expect(sent.at(-1)).toMatchObject({ type: `response.${status}`, data: { id } });
  }
});

test('a response that fails sends an event, also by a request that finds its worker gone', async () => {
  const { client, tenant } = await listening();
  background.upstream.script((_, response) => void response.writeHead(400).end('{}'));
  const { id } = await create(client);
  const [failed] = await events(1);
  expect(failed).toMatchObject({ type: 'response.failed', data: { id } });
  const runs = background.runsAt(() => Date.now() - 61_000);
  const lost = { tenant, id: `resp_${randomUUID().replaceAll('-', '')}` };
  const begun = { id: lost.id, object: 'response', background: true, status: 'queued', output: [] };
  await runs.create(lost, { keyHash: '', headers: {}, streamed: false, request: {}, begun });
  await runs.begin(lost, 'a-worker');
  await Promise.all([1, 2].map(() => client.responses.retrieve(lost.id)));
  expect((await events(2))[1]).toMatchObject({ type: 'response.failed', data: { id: lost.id } });
});

test('a response that is deleted while it runs, and one of a tenant without a webhook, send no event', async () => {
  const { client } = await listening();
  const { id, held } = await begun(client);
  await client.responses.delete(id);
  await held.over;
  const { client: silent } = await listening(null);
  const answering = background.hold();
  const { id: other } = await create(silent);
  (await answering).finish();
  await until(silent, other, 'completed');
  await events(0);
});
