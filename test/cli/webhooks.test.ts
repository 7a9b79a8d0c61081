/** The commands of webhooks. */
import { expect, test } from 'vitest';
import { createDeliveryStore } from '../../lib/stores/webhooks/deliveries.ts';
import { useWebhookReceiver } from '../harness/webhook-receiver.ts';
import { useCommand } from './operator.ts';

const { run, json, at } = useCommand();
const receiver = useWebhookReceiver();

test('a test is posted, and fails unless the receiver accepts it', async () => {
  await run('tenants create acme');
  expect(await run('webhooks test acme')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has no webhook'),
  });
  await run(`tenants set-alerts acme --webhook ${receiver.url}`);
  expect(await json('webhooks test acme')).toMatchObject({ status: 204, failure: null });
  expect(JSON.parse(receiver.received[0]?.body ?? '{}')).toMatchObject({ type: 'webhook.test' });
  receiver.statuses.push(500);
  expect(await run('webhooks test acme')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('answered with status 500'),
  });
  await run('tenants set-alerts acme --webhook http://127.0.0.1:1/');
  expect(await run('webhooks test acme')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('in time'),
  });
});

test('the last events are listed', async () => {
  await run('tenants create acme');
  expect(await run('webhooks list acme')).toMatchObject({ code: 0, output: [] });
  const deliveries = createDeliveryStore(at('state'));
  await deliveries.create({ tenant: 'acme', id: 'evt_1', type: 'response.failed', about: 'resp_1' });
  const { output, stderr } = await run('webhooks list acme');
  expect(stderr).toContain('has no webhook');
  expect(output[0]).toMatch(/^CREATED AT +TYPE +DATA ID +STATE +ATTEMPTS +LAST RESULT +NEXT ATTEMPT AT$/);
  expect(output[1]).toMatch(/response\.failed +resp_1 +pending +0/);
  expect(await json('webhooks list acme')).toMatchObject([{ id: 'evt_1', state: 'pending', attempts: [] }]);
  expect((await run('webhooks list absent')).stderr).toContain('tenants list');
});
