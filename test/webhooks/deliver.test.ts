/** Events for webhooks, over real connections to a receiver that checks them with the SDK of OpenAI. */
import { beforeEach, describe, expect, test } from 'vitest';
import { RefusedUrl } from '../../lib/core/ports/webhooks.ts';
import type { Webhook } from '../../lib/core/tenancy.ts';
import { createDeliveryStore, maxListedDeliveries } from '../../lib/stores/webhooks/deliveries.ts';
import { createWebhookPoster } from '../../lib/transport/webhook-poster.ts';
import {
  announce,
  attemptDelivery,
  claimMs,
  type DeliverParts,
  pausesMs,
} from '../../lib/webhooks/deliver.ts';
import { unwrap, useWebhookReceiver } from '../harness/webhook-receiver.ts';
import { useTestDatabase } from '../stores/database.ts';

const database = useTestDatabase('state');
const receiver = useWebhookReceiver();
const secret = `whsec_${Buffer.from('a secret of the test').toString('base64')}`;
const happening = { tenant: 'acme', type: 'response.completed', about: 'resp_1' };

let time: number;
let number = 0;
let lines: string[];
let webhook: Webhook | undefined;

beforeEach(() => {
  time = Date.UTC(2026, 10, 28);
  lines = [];
  webhook = { url: receiver.url, secret };
});

const deliveries = createDeliveryStore({ call: database.call, table: 'state', now: () => time });

const partsOf = (more: Partial<DeliverParts> = {}): DeliverParts => ({
  deliveries,
  webhookOf: async () => webhook,
  post: createWebhookPoster({ isLocal: true }),
  now: () => time,
  log: { error: (message) => lines.push(message), warn: () => {} },
  ...more,
});

/** A new event, about another response than those before. */
async function begin(parts = partsOf(), tenant = 'acme') {
  number += 1;
  return await announce(parts, { ...happening, tenant, about: `resp_${number}` });
}

/** Lets time pass until there is nothing more to do; how often an attempt was due. */
async function deliver(ref: { readonly tenant: string; readonly id: string }, parts = partsOf()) {
  const due: number[] = [];
  for (let next = await attemptDelivery(parts, ref); next !== undefined; ) {
    due.push(next - time);
    time = next;
    next = await attemptDelivery(parts, ref);
  }
  return due;
}

test('the SDK of OpenAI verifies an event and reads it', async () => {
  const ref = await begin();
  expect(await deliver(ref)).toEqual([]);
  const [found] = receiver.received;
  if (!found) return expect.fail('nothing was received');
  const event = await unwrap(found, secret);
  const about = `resp_${number}`;
  const body = { id: ref.id, object: 'event', type: 'response.completed', created_at: time / 1000 };
  expect(event).toEqual({ ...body, data: { id: about } });
  expect(found.headers['webhook-id']).toBe(ref.id);
  await expect(unwrap(found, `whsec_${Buffer.from('another').toString('base64')}`)).rejects.toThrow();
  await expect(
    unwrap({ ...found, body: found.body.replace('completed', 'failed') }, secret),
  ).rejects.toThrow();
  expect(await deliveries.find(ref)).toMatchObject({
    state: 'delivered',
    attempts: [{ at: time, status: 204 }],
  });
});

test('an event is repeated with growing pauses and one id, until the receiver accepts it', async () => {
  receiver.statuses.push(500, 429, 302);
  const ref = await begin();
  const due = await deliver(ref);
  expect(due).toHaveLength(3);
  for (const [index, pause] of due.entries()) {
    expect(pause).toBeGreaterThanOrEqual(pausesMs[index] ?? 0);
    expect(pause).toBeLessThanOrEqual((pausesMs[index] ?? 0) * 1.1 + 1);
  }
  expect(receiver.received).toHaveLength(4);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([ref.id]));
  for (const one of receiver.received) expect((await unwrap(one, secret)).id).toBe(ref.id);
  const { state, attempts } = (await deliveries.find(ref)) ?? {};
  expect(state).toBe('delivered');
  expect(attempts?.map(({ status }) => status)).toEqual([500, 429, 302, 204]);
  expect(lines).toEqual([]);
});

test('after the last attempt, more than a day later, it has failed, and a line says so', async () => {
  const post = async () => 503;
  const ref = await begin(partsOf({ post }));
  const began = time;
  expect(await deliver(ref, partsOf({ post }))).toHaveLength(pausesMs.length);
  expect(time - began).toBeGreaterThan(24 * 3_600_000);
  expect(await deliveries.find(ref)).toMatchObject({ state: 'failed' });
  expect(lines).toEqual(['webhook not delivered']);
});

test('a receiver that is not reached is tried again; an address that is refused is not', async () => {
  const failing = (error: Error) => partsOf({ post: () => Promise.reject(error) });
  const ref = await begin();
  expect(await attemptDelivery(failing(new Error('ECONNREFUSED')), ref)).toBeGreaterThan(time);
  time += pausesMs[1] ?? 0;
  expect(await attemptDelivery(failing(new RefusedUrl()), ref)).toBeUndefined();
  const { attempts } = (await deliveries.find(ref)) ?? {};
  expect(attempts?.map(({ failure }) => failure)).toEqual(['unreachable', 'address_refused']);
});

test('outside a laptop, a private address is refused at each attempt', async () => {
  const addresses = [['93.184.216.34'], ['10.0.0.1']];
  webhook = { url: 'https://hooks.example.com/', secret };
  const poster = createWebhookPoster({
    isLocal: false,
    lookup: async () => {
      const [first = []] = addresses;
      if (addresses.length > 1) {
        addresses.shift();
        throw new Error(`not found: ${first}`);
      }
      return first;
    },
  });
  const ref = await begin(partsOf({ post: poster }));
  await deliver(ref, partsOf({ post: poster }));
  const { state, attempts } = (await deliveries.find(ref)) ?? {};
  expect(state).toBe('failed');
  expect(attempts?.map(({ failure }) => failure)).toEqual(['unreachable', 'address_refused']);
});

test('a receiver that is gone gets nothing more, until its webhook is set again', async () => {
  receiver.statuses.push(410);
  const ref = await begin(partsOf(), 'gone');
  expect(await deliver(ref)).toEqual([]);
  expect(await deliveries.find(ref)).toMatchObject({ state: 'failed', attempts: [{ status: 410 }] });
  const next = await begin(partsOf(), 'gone');
  await deliver(next);
  expect(await deliveries.find(next)).toMatchObject({ state: 'failed', attempts: [{ failure: 'gone' }] });
  expect(receiver.received).toHaveLength(1);
  webhook = { url: receiver.url, secret: `whsec_${Buffer.from('a new secret').toString('base64')}` };
  await deliver(await begin(partsOf(), 'gone'));
  expect(receiver.received).toHaveLength(2);
});

test('a tenant that loses its webhook meanwhile gets nothing', async () => {
  const ref = await begin();
  webhook = undefined;
  await deliver(ref);
  expect(await deliveries.find(ref)).toMatchObject({
    state: 'failed',
    attempts: [{ failure: 'no_webhook' }],
  });
  expect(receiver.received).toEqual([]);
});

describe('of several processes', () => {
  test('all that find one end announce one event', async () => {
    const parts = partsOf();
    const refs = await Promise.all([1, 2, 3].map(() => announce(parts, happening)));
    expect(new Set(refs.map(({ id }) => id)).size).toBe(1);
    expect((await deliveries.list('acme')).filter(({ about }) => about === happening.about)).toHaveLength(1);
  });

  test('one makes an attempt', async () => {
    const ref = await begin();
    const next = await Promise.all([1, 2, 3].map(() => attemptDelivery(partsOf(), ref)));
    expect(receiver.received).toHaveLength(1);
    time = Math.max(...next.map((at) => at ?? 0));
    expect(await attemptDelivery(partsOf(), ref)).toBeUndefined();
    expect(receiver.received).toHaveLength(1);
  });

  test('another one makes the attempt of one that ended in it', async () => {
    const ref = await begin();
    const found = await deliveries.find(ref);
    if (found) await deliveries.claim(found, time + claimMs);
    expect(await attemptDelivery(partsOf(), ref)).toBe(time + claimMs);
    time += claimMs;
    expect(await attemptDelivery(partsOf(), ref)).toBeUndefined();
    expect(receiver.received).toHaveLength(1);
  });

  test('one that starts later knows what is pending for a day, and the next ones', async () => {
    const refs = [await begin(partsOf(), 'acme/2'), await begin()];
    for (const ref of refs) await deliveries.remember(ref);
    time += 23 * 3_600_000;
    expect(await deliveries.remembered()).toEqual(expect.arrayContaining(refs));
    time += 3 * 3_600_000;
    expect(await deliveries.remembered()).toEqual([]);
  });
});

test('the last events of a tenant are listed, newest first, for some days', async () => {
  const parts = partsOf();
  const refs = [];
  for (let n = 0; n < maxListedDeliveries + 3; n += 1) {
    time += 1;
    refs.push(await begin(parts, 'many'));
  }
  const listed = await deliveries.list('many');
  expect(listed.map(({ id }) => id)).toEqual(
    refs
      .map(({ id }) => id)
      .reverse()
      .slice(0, maxListedDeliveries),
  );
  expect(await deliveries.list('none')).toEqual([]);
  time += 8 * 24 * 3_600_000;
  expect(await deliveries.list('many')).toEqual([]);
});
