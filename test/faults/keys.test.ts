/** Keys in use keep working while the access table cannot be read, with the same permissions; new keys have to wait. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type CreatedApiKey, createKeyStore } from '../../lib/stores/access/keys.ts';
import { disableKey, suspendTenant } from '../harness/access.ts';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { startStopwatch } from '../harness/stopwatch.ts';
import { type StoreFault, startFaultyStore } from '../harness/store-faults.ts';
import { use } from '../harness/use.ts';

const model = 'anthropic/claude-haiku-4-5';
/** A little longer than the time for which results are cached. */
const freshMs = 5_200;

const store = use(startFaultyStore);
const gateway = use(() => startTestGateway({}, { database: store }));

const access = () => ({ call: store.call, table: 'access' });
const keys = () => createKeyStore(access());

/** From now on, every call of the table fails this way. */
const fail = (fault: StoreFault | undefined, only?: string) =>
  store.setFaults((action, table) =>
    table === 'access' && (only === undefined || action === only) ? fault : undefined,
  );

async function ask({ secret }: CreatedApiKey) {
  const watch = startStopwatch();
  const body = { model, messages: [{ role: 'user', content: 'Hello.' }] };
  const response = await gateway.post('/v1/chat/completions', body, { authorization: `Bearer ${secret}` });
  const text = await response.text();
  return { status: response.status, text, waitedMs: watch.waitedMs() };
}

test('an outage does not affect keys in use, rejections stay rejections, and changes apply afterwards', async () => {
  const plain = await keys().create({ tenant: 'plain' });
  const narrow = await keys().create({ tenant: 'narrow', models: ['openai/*'] });
  const suspended = await keys().create({ tenant: 'suspended' });
  await suspendTenant(access(), 'suspended');
  const disabled = await keys().create({ tenant: 'disabled' });
  const all = [plain, narrow, suspended, disabled];
  const statuses = async () => (await Promise.all(all.map(ask))).map(({ status }) => status);
  expect(await statuses()).toEqual([200, 403, 403, 200]);
  for (const fault of ['failed', 'silent'] as const) {
    await pause(freshMs);
    fail(fault);
    expect(await statuses()).toEqual([200, 403, 403, 200]);
    expect(store.counts.get(`GetItem: ${fault}`)).toBeGreaterThan(0);
  }
  await disableKey(access(), disabled.id);
  fail(undefined);
  await expect.poll(statuses, { timeout: 30_000, interval: 250 }).toEqual([200, 403, 403, 401]);
});

test('a key that is not cached is not reported as unknown during an outage', async () => {
  const stranger = await keys().create({ tenant: 'stranger' });
  fail('failed');
  const { status, text } = await ask(stranger);
  fail(undefined);
  expect(status).toBe(500);
  expect(JSON.parse(text).error).toMatchObject({ type: 'internal_server_error' });
  expect((await ask(stranger)).status).toBe(200);
});

test.each(['failed', 'silent'] as const)(
  'the last use of a key cannot be written (%s): the answer is still returned quickly',
  async (fault) => {
    const key = await keys().create({ tenant: 'used' });
    fail(fault, 'UpdateItem');
    const { status, waitedMs } = await ask(key);
    fail(undefined);
    expect(status).toBe(200);
    expect(store.counts.get(`UpdateItem: ${fault}`)).toBeGreaterThan(0);
    expect(waitedMs).toBeLessThan(2_500);
  },
);
