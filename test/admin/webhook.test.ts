/** Alerts in the dashboard's API, and the webhook of a tenant: the last events with their attempts, and an event that tests it. */
import { beforeEach, expect, test } from 'vitest';
import { createAggregateStore } from '../../lib/stores/usage/aggregate.ts';
import { createAlertLog } from '../../lib/stores/usage/alert-log.ts';
import { createDeliveryStore } from '../../lib/stores/webhooks/deliveries.ts';
import { type AdminClient, signInAs } from '../harness/admin/admin-client.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { use } from '../harness/use.ts';
import { unwrap, useWebhookReceiver } from '../harness/webhook-receiver.ts';

const gateway = useGateway();
const receiver = useWebhookReceiver();
const ledger = use(() => openLedger());
let tenant: string;
let tenants = 0;
let secret: string;

const operator = use(() => signInAs(gateway(), { id: 'olga', name: 'Olga', role: 'operator' }));

beforeEach(async () => {
  tenants += 1;
  tenant = `hooked-${tenants}`;
  await operator.call('POST', '/tenants', { body: { tenant } });
  secret = await setUrl(receiver.url);
});

const setUrl = async (url: string | null) =>
  (await operator.call('PATCH', `/tenants/${tenant}`, { body: { alerts: { webhook_url: url } } })).body
    .webhook_secret;

const show = async (by = operator) => (await by.call('GET', `/tenants/${tenant}/webhook`)).body;
const testIt = (by = operator) => by.call('POST', `/tenants/${tenant}/webhook/test`, { body: {} });

test('a test is posted at once, signed, and answers with the status and nothing of the answer', async () => {
  const { status, body } = await testIt();
  expect(status).toBe(200);
  expect(body).toEqual({
    object: 'webhook_test',
    id: expect.stringMatching(/^evt_/),
    status: 204,
    failure: null,
    duration_ms: expect.any(Number),
  });
  const [found] = receiver.received;
  if (!found) return expect.fail('nothing was received');
  expect(await unwrap(found, secret)).toMatchObject({
    id: body.id,
    type: 'webhook.test',
    data: { id: tenant },
  });
  receiver.statuses.push(500);
  expect((await testIt()).body).toMatchObject({ status: 500, failure: null });
  const audit = (await operator.call('GET', `/audit?tenant=${tenant}`)).body.data;
  expect(audit[0]).toMatchObject({ action: 'tenants.test_webhook', target: tenant });
});

test('a receiver that is not reached is a failure with a name', async () => {
  await setUrl('http://127.0.0.1:1/');
  expect((await testIt()).body).toMatchObject({ status: null, failure: 'unreachable' });
});

test('without a webhook there is nothing to test, and nothing is listed', async () => {
  await setUrl(null);
  expect((await testIt()).status).toBe(400);
  expect(await show()).toEqual({ object: 'webhook', tenant, url: null, enabled: false, deliveries: [] });
});

test('events are listed with their attempts, and a receiver that is gone until it is set again', async () => {
  const now = Date.now();
  const deliveries = createDeliveryStore({ call: ledger.call, table: 'state', now: () => now });
  const ref = { tenant, id: 'evt_1' };
  await deliveries.create({ ...ref, type: 'response.completed', about: 'resp_1' });
  const created = await deliveries.find(ref);
  if (!created) return expect.fail('not stored');
  await deliveries.claim(created, now + 1);
  const attempt = { at: now, status: 503 };
  await deliveries.record(created, now + 1, { attempt, state: 'pending', dueAt: now + 5_000 });
  const seconds = Math.floor(now / 1_000);
  expect(await show()).toEqual({
    object: 'webhook',
    tenant,
    url: receiver.url,
    enabled: true,
    deliveries: [
      {
        object: 'webhook_delivery',
        id: 'evt_1',
        type: 'response.completed',
        data_id: 'resp_1',
        state: 'pending',
        created_at: seconds,
        next_attempt_at: Math.floor((now + 5_000) / 1_000),
        attempts: [{ at: seconds, status: 503, failure: null }],
      },
    ],
  });
  await deliveries.disable(tenant, secret);
  expect((await show()).enabled).toBe(false);
  await setUrl(receiver.url);
  expect((await show()).enabled).toBe(true);
});

test('alerts are listed page by page, those of a tenant for its administrators', async () => {
  const alerts = createAlertLog({ call: ledger.call, table: 'usage', now: Date.now });
  const since = Date.now() - 60_000;
  const alert = { type: 'limit.alert', tenant, message: '80 % is used.' };
  for (const id of [1, 2, 3]) await alerts.write({ ...alert, id: `alert_${id}`, since: since + id });
  await alerts.write({ ...alert, id: 'alert_3', since: since + 3, until: since + 9_000, delivered: true });
  const provider = { type: 'provider.failing', message: 'Calls of the provider openai fail.' };
  await alerts.write({ ...provider, id: 'alert_4', since: since + 4 });
  // What is as old is listed no longer.
  await alerts.write({ ...alert, id: 'alert_0', since: since - 31 * 86_400_000 });
  const list = async (by: AdminClient, query = '') => (await by.call('GET', `/alerts?${query}`)).body;
  const admin = await signInAs(gateway(), { id: 'ann', name: 'Ann', role: 'tenant_admin', tenant });
  const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
  const page = await list(admin, 'limit=2');
  expect([ids(page), page.has_more]).toEqual([['alert_3', 'alert_2'], true]);
  const rest = await list(admin, `limit=2&after=${encodeURIComponent(page.next_after)}`);
  expect([ids(rest), rest.has_more, rest.next_after]).toEqual([['alert_1'], false, null]);
  expect(ids(await list(operator, 'limit=2'))).toEqual(['alert_4', 'alert_3']);
  expect((await list(operator, 'limit=2')).data).toEqual([
    {
      object: 'alert',
      id: 'alert_4',
      ...provider,
      tenant: null,
      since: Math.floor((since + 4) / 1000),
      until: null,
      delivered: null,
    },
    expect.objectContaining({ until: Math.floor((since + 9_000) / 1000), delivered: true }),
  ]);
  expect((await admin.call('GET', '/alerts?tenant=other')).status).toBe(404);
  expect((await list(admin, 'after=x')).error).toMatchObject({ param: 'after' });
});

test('sums that lack what ended long ago are an alert while they do', async () => {
  const aggregator = createAggregateStore({ call: ledger.call, table: 'usage', now: Date.now });
  const batch = { shard: 'stopped', now: Date.now() };
  const at = Date.now() - 600_000;
  await aggregator.notePosition(batch, at);
  await aggregator.noteFailedBatch(batch);
  const list = async () => (await operator.call('GET', `/alerts?tenant=${tenant}`)).body;
  const since = Math.floor(at / 1000);
  expect(await list()).toMatchObject({ as_of: since, data: [{ type: 'sums.behind', since, until: null }] });
  await aggregator.notePosition(batch, Date.now());
  expect((await list()).data).toEqual([]);
});

test('people of the tenant see and test their own, and find no other', async () => {
  const admin = await signInAs(gateway(), { id: 'ann', name: 'Ann', role: 'tenant_admin', tenant });
  expect((await show(admin)).url).toBe(receiver.url);
  expect((await testIt(admin)).body.status).toBe(204);
  const other = await signInAs(gateway(), { id: 'bob', name: 'Bob', role: 'tenant_admin', tenant: 'other' });
  expect((await testIt(other)).status).toBe(404);
  expect((await other.call('GET', `/tenants/${tenant}/webhook`)).status).toBe(404);
});
