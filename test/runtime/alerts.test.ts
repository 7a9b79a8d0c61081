/** Alerts as the aggregator of a server raises them: in the list, and at the operator's webhook. */
import { expect, test } from 'vitest';
import { newSecret } from '../../lib/core/webhooks/sign.ts';
import { createAggregator } from '../../lib/runtime/records/aggregator-runtime.ts';
import { createAlerts } from '../../lib/runtime/records/alerts-runtime.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { createAlertLog } from '../../lib/stores/usage/alert-log.ts';
import { unwrap, useWebhookReceiver } from '../harness/webhook-receiver.ts';
import { useTestDatabase } from '../stores/database.ts';

const database = useTestDatabase('usage', 'access');
const receiver = useWebhookReceiver();
const log = { info: () => {}, warn: () => {}, error: () => {} };
const table = (name: string) => ({ call: database.call, table: name });
const parts = { log, now: Date.now, table };

async function reached(tenant: string, secret: string) {
  const scope = { kind: 'tenant', id: tenant } as const;
  const limits = createLimitStore({ ...table('usage'), now: Date.now });
  await limits.seed(scope, { day: 1, week: 1, month: 1, total: 85 });
  const { raiseAlerts } = createAlerts({ ...parts, webhook: { url: receiver.url, secret } });
  const usage = { requests: 0, tokens: 0, minuteEnds: 0, running: 0, held: 0, usedCredit: 0 };
  const committed = { dayCommitted: 0, weekCommitted: 0, committed: 0, totalCommitted: 85 };
  const limit = { totalBudget: 100 };
  await raiseAlerts([{ scope, tenant, limits: limit, usage: { ...usage, ...committed } }]);
  return (await createAlertLog({ ...table('usage'), now: Date.now }).list({ tenant, limit: 10 })).alerts;
}

test('one about the budget of any tenant is posted to the operator, signed, and listed as delivered', async () => {
  const secret = newSecret();
  const listed = await reached('acme', secret);
  const message = '80 % of the total budget of tenant acme is used.';
  expect(listed).toMatchObject([{ type: 'limit.alert', tenant: 'acme', message, delivered: true }]);
  const [found] = receiver.received;
  if (!found) return expect.fail('nothing was received');
  expect(await unwrap(found, secret)).toMatchObject({
    type: 'limit.alert',
    data: { tenant: 'acme', message },
  });
});

test('one that does not arrive is listed as not delivered', async () => {
  receiver.statuses.push(500, 500, 500);
  expect(await reached('other', newSecret())).toMatchObject([{ tenant: 'other', delivered: false }]);
});

test.each([
  [{ GATEWAY_ALERT_WEBHOOK_URL: 'https://hooks.example.com/' }, 'needs GATEWAY_ALERT_WEBHOOK_SECRET'],
  [{ GATEWAY_ALERT_WEBHOOK_SECRET: newSecret() }, 'needs GATEWAY_ALERT_WEBHOOK_URL'],
])('half of the settings of the webhook is refused by the name of the other', (environment, problem) => {
  expect(() => createAggregator({ ...parts, environment })).toThrow(problem);
});
