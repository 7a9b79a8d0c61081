/** The panel of a tenant in a real browser: its webhook is set, tested, and has its last events; a month is closed. */
import { expect, test } from 'vitest';
import { createTenantStore } from '../../../lib/stores/access/tenants.ts';
import { createDeliveryStore } from '../../../lib/stores/webhooks/deliveries.ts';
import { describeInBrowser, useBrowser } from '../../harness/browser/chromium.ts';
import { enter, settle } from '../../harness/browser/enter.ts';
import { openWatched } from '../../harness/browser/watched-page.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { openLedger } from '../../harness/ledger.ts';
import { use } from '../../harness/use.ts';
import { useWebhookReceiver } from '../../harness/webhook-receiver.ts';

describeInBrowser('the webhook of a tenant', () => {
  const gateway = useGateway();
  const browser = useBrowser();
  const receiver = useWebhookReceiver();
  const ledger = use(() => openLedger());

  test('is set, tested, and shows what it was to get; a month of its invoices is closed', async () => {
    const { call } = ledger;
    await createTenantStore({ call, table: 'access' }).create('hooked');
    const deliveries = createDeliveryStore({ call, table: 'state', now: Date.now });
    await deliveries.create({ tenant: 'hooked', id: 'evt_1', type: 'response.completed', about: 'resp_1' });
    const { page, close, checkAccessibility } = await openWatched(browser());
    await enter(page, gateway().url, 'tenants');
    await page.getByRole('link', { name: 'hooked', exact: true }).click();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Webhook').fill(receiver.url);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByText('resp_1').waitFor();
    await page.getByRole('row', { name: 'Total $0.00' }).waitFor();
    expect(await page.getByRole('button', { name: 'Close the month' }).count()).toBe(0);
    await page.getByLabel('Month').selectOption({ index: 2 });
    await page.getByRole('button', { name: 'Close the month' }).click();
    const month = page.getByRole('dialog', { name: /^Close \d{4}-\d\d of hooked\?$/ });
    await month.getByText('This cannot be undone').waitFor();
    await checkAccessibility();
    await month.getByRole('button', { name: 'Close for good' }).click();
    await page.getByText(/^Closed \d{4}-.* by /).waitFor();
    receiver.statuses.push(503);
    await page.getByRole('button', { name: 'Send test' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^503 in / })
      .waitFor();
    expect(JSON.parse(receiver.received[0]?.body ?? '{}')).toMatchObject({ type: 'webhook.test' });
    await settle(page);
    await checkAccessibility();
    await close();
  });
});
