/** Webhooks of a server: later attempts have timers, and what was pending is taken up by a process that starts. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Variables } from '../../lib/runtime/environment.ts';
import { deliverEvent, resumeDeliveries, webhookParts } from '../../lib/runtime/webhook-runtime.ts';
import { createTenantEdits } from '../../lib/stores/access/tenant-edits.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createDeliveryStore } from '../../lib/stores/webhooks/deliveries.ts';
import { useWebhookReceiver } from '../harness/webhook-receiver.ts';
import { useTestDatabase } from '../stores/database.ts';

const database = useTestDatabase('access', 'state');
const receiver = useWebhookReceiver();
const secret = `whsec_${Buffer.from('a secret of the test').toString('base64')}`;

/** The environment of another process. */
const started = (): Variables => ({
  AWS_REGION: 'eu-central-1',
  DYNAMODB_ENDPOINT: database.endpoint,
  ACCESS_TABLE: 'access',
  STATE_TABLE: 'state',
});

async function createEvent(at = Date.now()) {
  const access = { call: database.call, table: 'access' };
  const tenant = `tenant-${randomUUID()}`;
  await createTenantStore(access).create(tenant, { limits: {} });
  await createTenantEdits(access).edit(tenant, () => ({ webhook: { url: receiver.url, secret } }));
  const deliveries = createDeliveryStore({ call: database.call, table: 'state', now: () => at });
  const ref = { tenant, id: `evt_${randomUUID().replaceAll('-', '')}` };
  await deliveries.create({ ...ref, type: 'response.completed', about: 'resp_1' });
  return { ref, deliveries };
}

test('the first attempt is made at once, and what fails is noted for processes that start later', async () => {
  const { ref, deliveries } = await createEvent();
  receiver.statuses.push(503);
  await deliverEvent(started())(ref, {});
  expect(await deliveries.find(ref)).toMatchObject({ state: 'pending', attempts: [{ status: 503 }] });
  expect(await deliveries.remembered()).toContainEqual(ref);
});

test('a process that starts makes the attempts that are due, once for all that start', async () => {
  const hour = 3_600_000;
  const { ref, deliveries } = await createEvent(Date.now() - 2 * hour);
  await deliveries.remember(ref);
  await Promise.all([resumeDeliveries(started()), resumeDeliveries(started())]);
  const mine = receiver.received.filter(({ headers }) => headers['webhook-id'] === ref.id);
  expect(mine).toHaveLength(1);
  const { deliveries: current } = webhookParts(started());
  expect(await current.find(ref)).toMatchObject({ state: 'delivered' });
});

test('a process starts while its database does not answer', async () => {
  await resumeDeliveries({ ...started(), STATE_TABLE: 'missing' });
});
