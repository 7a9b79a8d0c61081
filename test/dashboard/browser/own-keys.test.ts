/** Own keys of a tenant in a real browser: added, tested, ordered, disabled and removed, by whom that is allowed. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { createTenantStore } from '../../../lib/stores/access/tenants.ts';
import { accessTable, signInAs } from '../../harness/admin/admin-client.ts';
import { describeInBrowser, useBrowser } from '../../harness/browser/chromium.ts';
import { enter, settle } from '../../harness/browser/enter.ts';
import { openWatched } from '../../harness/browser/watched-page.ts';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';

const good = 'sk-good-0123456789abcdefWXYZ';
const bad = 'sk-bad-0123456789abcdefghQRST';
const hostile = '<img src=x onerror="document.title=1"> "; drop';

describeInBrowser('own keys of a tenant', () => {
  const { gateway, upstream } = useUpstreamGateway('OPENAI');
  const browser = useBrowser();
  beforeAll(async () => {
    const tenants = createTenantStore(accessTable());
    for (const name of ['acme', 'globex']) await tenants.create(name, {});
    upstream.script(({ headers }, response) => {
      const isGood = headers.authorization === `Bearer ${good}`;
      response
        .writeHead(isGood ? 200 : 401, { 'content-type': 'application/json' })
        .end(JSON.stringify(isGood ? { object: 'list', data: [] } : { error: { message: 'No.' } }));
    });
  });

  const section = (page: Page) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: 'Own keys for providers' }) });
  const entry = (page: Page, text: string) => section(page).getByRole('listitem').filter({ hasText: text });
  const press = async (within: Locator, name: string) => await within.getByRole('button', { name }).click();

  async function add(page: Page, secret: string, name: string, provider = 'openai') {
    await press(section(page), 'Add a key');
    const dialog = page.getByRole('dialog', { name: 'A key for a provider' });
    await dialog.getByLabel('Provider').fill(provider);
    await dialog.getByLabel('Key', { exact: true }).fill(secret);
    await dialog.getByLabel('Name').fill(name);
    await press(dialog, 'Add');
    return dialog;
  }

  test('are added, tested, ordered, disabled and removed, and no secret stays in the page', async () => {
    const { page, close, allow, checkAccessibility, checkWidth } = await openWatched(browser());
    allow(/400 \(Bad Request\)/);
    await enter(page, gateway.url, 'tenants?id=acme');
    await section(page).getByText('Requests are sent with the accounts of the gateway.').waitFor();
    const refused = await add(page, 'mgw_abc', '');
    await refused.getByText('This is an API key of the gateway').waitFor();
    await checkAccessibility();
    await refused.getByLabel('Key', { exact: true }).fill(good);
    await refused.getByLabel('Name').fill(`evil \u202e${hostile}`);
    await press(refused, 'Add');
    await refused.getByText('marks of direction').waitFor();
    await refused.getByLabel('Name').fill(hostile);
    await press(refused, 'Add');
    await entry(page, '…WXYZ').waitFor();
    await add(page, bad, 'Second');
    await entry(page, '…QRST').waitFor();
    await press(entry(page, '…WXYZ'), 'Test');
    await entry(page, '…WXYZ').getByRole('status').getByText('accepted').waitFor();
    await press(entry(page, '…QRST'), 'Test');
    await entry(page, '…QRST').getByRole('status').getByText('refused (401)').waitFor();
    await settle(page);
    await checkAccessibility();
    await checkWidth();
    expect(await entry(page, '…WXYZ').innerText()).toContain('<img src=x');
    expect(await page.title()).not.toBe('1');
    const shown = [await page.content(), await page.evaluate<string>(everythingKept)];
    for (const text of shown)
      for (const secret of [good, bad]) expect(text).not.toContain(secret.slice(0, -4));

    await press(entry(page, '…QRST'), 'Move up');
    await section(page).getByRole('listitem').first().filter({ hasText: '…QRST' }).waitFor();
    await press(entry(page, '…QRST'), 'Disable');
    await entry(page, '…QRST').getByText('disabled').waitFor();
    await press(entry(page, '…QRST'), 'Enable');
    await entry(page, '…QRST').getByText('active').waitFor();
    await press(entry(page, '…QRST'), 'Remove');
    await page.getByRole('dialog', { name: 'Remove the key for openai?' }).waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).last().click();
    await entry(page, '…QRST').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Change' }).click();
    const box = page.getByRole('group', { name: 'Budgets of the tenant' }).getByRole('checkbox');
    await page.getByRole('group', { name: 'Budgets of the tenant' }).getByLabel('A day').fill('5');
    await box.check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('td', { hasText: '$5 a day, own keys included' }).waitFor();
    await close();
  });

  test('are for the admins of their tenant, and for no one else', async () => {
    const open = async (user: Omit<Parameters<typeof signInAs>[1], 'name'>) => {
      const watched = await openWatched(browser());
      const { cookie } = await signInAs(gateway, { ...user, name: user.id });
      const [name = '', value = ''] = cookie.split('=', 2);
      await watched.page.context().addCookies([{ name, value, url: gateway.url }]);
      const asked: string[] = [];
      watched.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await watched.page.goto(`${gateway.url}/dashboard/tenants`);
      await settle(watched.page);
      return { ...watched, credentials: () => asked.filter((path) => path.endsWith('/credentials')) };
    };
    const ada = await open({ id: 'ada', role: 'tenant_admin', tenant: 'acme' });
    await entry(ada.page, '…WXYZ').waitFor();
    await ada.checkAccessibility();
    await ada.close();
    const gil = await open({ id: 'gil', role: 'tenant_admin', tenant: 'globex' });
    await section(gil.page).getByText('Requests are sent with the accounts of the gateway.').waitFor();
    expect(gil.credentials()).toEqual(['/admin/v1/tenants/globex/credentials']);
    await gil.close();
    for (const role of ['member', 'viewer'] as const) {
      const one = await open({ id: role, role, tenant: 'acme' });
      expect([await section(one.page).count(), one.credentials()]).toEqual([0, []]);
      await one.close();
    }
  });
});

/** All that the page has kept anywhere that scripts can see, and what is typed in it. */
const everythingKept = `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, name, document.cookie,
  performance.getEntries().map(({ name }) => name), [...document.querySelectorAll('input, textarea')].map(({ value }) => value)])`;
