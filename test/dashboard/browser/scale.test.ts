/**
 * The dashboard with a thousand tenants and five thousand keys, in a real browser: while the API is slow and while it fails, in how many
 * clicks, and for each role. What pages look like: pages.test.ts.
 */
import type { Locator, Page, Route } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Role } from '../../../lib/core/admin/user.ts';
import { signInAs } from '../../harness/admin/admin-client.ts';
import { useSeededGateway } from '../../harness/admin/seeded-gateway.ts';
import { describeInBrowser, useBrowser } from '../../harness/browser/chromium.ts';
import { enter, follow, settle } from '../../harness/browser/enter.ts';
import { openWatched } from '../../harness/browser/watched-page.ts';
import { use } from '../../harness/use.ts';

/** All but the session. */
const api = /\/admin\/v1\/(?!session)/;

const titles = [
  'Overview',
  'Requests',
  'Batches',
  'Keys',
  'Playground',
  'Models',
  'Tenants',
  'Providers',
  'Alerts',
  'Catalog',
  'Audit',
];

const refusal = (message: string) => ({ json: { error: { message, type: 'server_error', code: null } } });

/** Ways to fail, and what people then read. The second would be asked again in half a minute, so it is not by itself. */
const failures: readonly (readonly [RegExp, (route: Route) => Promise<void>])[] = [
  [
    /^The database does not answer\./,
    (route) => route.fulfill({ status: 500, ...refusal('The database does not answer.') }),
  ],
  [
    /^Too many requests\./,
    (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '30' }, ...refusal('Too many requests.') }),
  ],
  [/^The gateway does not answer\./, (route) => route.abort('internetdisconnected')],
];

const hostile = '<img src=x onerror="document.title=1">"; drop';

describeInBrowser('the dashboard with a thousand tenants', () => {
  const gateway = useSeededGateway(2_000);
  const browser = useBrowser();
  let page: Page;
  const watched = use(() => openWatched(browser()));
  beforeAll(async () => {
    page = watched.page;
    page.setDefaultTimeout(15_000);
    watched.allow(/status of (404|429|500)/, /ERR_INTERNET_DISCONNECTED/, /net::ERR_FAILED/);
    await enter(page, gateway().url, 'nothing-here');
  });
  afterEach(() => page.unrouteAll());

  const open = (path: string) => page.goto(`${gateway().url}/dashboard/${path}`);
  const alerts = () => page.getByRole('alert');
  const links = () => page.getByRole('navigation', { name: 'Pages' }).getByRole('listitem');
  const again = () => page.getByRole('button', { name: 'Try again' });

  test('each page says that it loads, asks once, says what failed, and reads it again where it stands', async () => {
    const held: Route[] = [];
    let onAsked: (route: Route) => unknown = (route) => held.push(route);
    await page.route(api, (route) => void onAsked(route));
    expect(await links().allInnerTexts()).toEqual(titles);
    for (const [place, title] of titles.entries()) {
      onAsked = (route) => held.push(route);
      await follow(page, title);
      // A second press asks for nothing more.
      await follow(page, title);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      // What another page has read is shown at once.
      if (title !== 'Catalog') await page.locator('.skeleton').first().waitFor();
      await page.locator('[data-busy=true]').waitFor({ state: 'attached' });
      await expect.poll(() => held.length, { timeout: 60_000 }).toBeGreaterThan(0);
      const asked = held.map((route) => `${route.request().method()} ${route.request().url()}`);
      expect(asked).toEqual([...new Set(asked)]);
      const before = await page.evaluate<Placed>(placed);

      const [text, fail] = failures[place % failures.length] ?? raise();
      onAsked = fail;
      for (const route of held.splice(0)) await fail(route);
      await alerts().first().getByText(text).waitFor();
      if (place < failures.length) await watched.checkAccessibility();
      onAsked = (route) => route.fallback();
      for (let left = await again().count(); left > 0; left = await again().count()) {
        await again().first().click();
        await expect.poll(() => again().count(), { timeout: 60_000 }).toBeLessThan(left);
      }
      await settle(page);
      expect([title, await alerts().count()]).toEqual([title, 0]);
      expect(await page.evaluate<Placed>(placed)).toMatchObject(before);
    }
    await page.unroute(api);
  });

  test('where parts of a panel fail, each has its own way on', async () => {
    await page.route(/\/admin\/v1\/(management-keys|tenants\/tenant-7\/)/, (route) =>
      route.fulfill({ status: 500, ...refusal('The database does not answer.') }),
    );
    await open('tenants?id=tenant-7');
    const panel = page.getByRole('dialog', { name: 'tenant-7' });
    const parts = ['Own keys for providers', 'Guardrails', 'Invoice', 'Management keys'];
    for (const name of parts) await part(panel, name).getByRole('alert').waitFor();
    await page.unrouteAll();
    for (const name of parts) {
      await part(panel, name).getByRole('button', { name: 'Try again' }).click();
      await part(panel, name).getByRole('alert').waitFor({ state: 'detached' });
    }
  });

  /** A step of a flow; what is typed is no click. */
  let clicks = 0;
  const press = async (button: Locator) => {
    clicks += 1;
    await button.click();
  };

  /** The last press of a flow: it fails at first, and keeps what was typed; then it is pressed twice, and sent once. */
  async function send(dialog: Locator, name: string): Promise<void> {
    const typed = () => page.evaluate<unknown>(valuesTyped);
    const sent: string[] = [];
    let isFailing = true;
    const changing = async (route: Route) => {
      if (route.request().method() === 'GET') return route.fallback();
      sent.push(route.request().url());
      if (isFailing) return route.fulfill({ status: 500, ...refusal('The database does not answer.') });
      return route.fallback();
    };
    await page.route(api, changing);
    const before = await typed();
    await dialog.getByRole('button', { name, exact: true }).click();
    await dialog.getByRole('alert').getByText('The database does not answer.').waitFor();
    expect(await typed()).toEqual(before);
    isFailing = false;
    clicks += 1;
    await page.evaluate(pressTwice(name));
    await dialog.waitFor({ state: 'detached' });
    await page.unroute(api, changing);
    expect(sent).toHaveLength(2);
  }

  /** By its name, from anywhere: no click. */
  async function goTo(name: string): Promise<void> {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Page, key/ }).fill(name);
    await page.getByRole('option', { name }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name }).waitFor();
  }

  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name, exact: true });

  test.each<[string, number, () => Promise<void>]>([
    [
      'a key with a budget is made',
      3,
      async () => {
        await open('keys');
        await press(page.getByRole('button', { name: 'New key' }).first());
        await dialog('New key').getByRole('combobox', { name: 'Tenant' }).fill('tenant-777');
        await page.keyboard.press('Enter');
        await dialog('New key').getByLabel('Name').fill(hostile);
        await dialog('New key').getByLabel('A month').fill('1,500');
        await send(dialog('New key'), 'Create key');
        await press(dialog('Your new key').getByRole('button', { name: 'I have saved it' }));
        await page.getByRole('row').filter({ hasText: hostile }).getByText('$1,500 a month').waitFor();
        expect(await page.title()).not.toBe('1');
      },
    ],
    [
      'a key is found by its name among five thousand, disabled, and enabled again',
      4,
      async () => {
        await goTo('key 3 of 777');
        await press(page.getByRole('button', { name: 'Disable' }));
        await send(dialog('Disable this key?'), 'Disable now');
        await press(dialog('key 3 of 777').getByRole('button', { name: 'Enable' }));
        await send(dialog('Enable this key?'), 'Enable');
        await dialog('key 3 of 777').getByText('active', { exact: true }).waitFor();
        await page.keyboard.press('Escape');
      },
    ],
    [
      'a tenant gets another budget, credit, and a closed month',
      6,
      async () => {
        await goTo('tenant-777');
        const panel = dialog('tenant-777');
        await press(panel.getByRole('button', { name: 'Change', exact: true }));
        const budgets = dialog('Change tenant-777').getByRole('group', { name: 'Budgets of the tenant' });
        await budgets.getByLabel('A month').fill('2500');
        await send(dialog('Change tenant-777'), 'Save');
        await panel.getByText('of $2,500').waitFor();
        await press(panel.getByRole('button', { name: 'Give credit' }));
        await dialog('Credit for tenant-777').getByLabel('Amount').fill('20');
        await send(dialog('Credit for tenant-777'), 'Give credit');
        await panel.getByText('left of $20').waitFor();
        await panel.getByRole('combobox', { name: /^Month/ }).selectOption({ index: 3 });
        await press(panel.getByRole('button', { name: 'Close the month' }));
        await send(dialog(/^Close \d{4}-\d\d of tenant-777/), 'Close for good');
        await panel.getByText(/^Closed .* by ada\.$/).waitFor();
        await page.keyboard.press('Escape');
      },
    ],
    [
      'the tenants that cost most are seen, also after a reload',
      1,
      async () => {
        await open('tenants');
        await press(page.getByRole('button', { name: 'This month' }));
        await page.getByRole('columnheader', { name: 'This month', exact: true }).locator('svg').waitFor();
        await settle(page);
        expect(new URL(page.url()).search).toBe('?order=desc&sort=spend');
        const shown = () => page.getByRole('region', { name: 'Tenants' }).innerText();
        const before = await shown();
        expect(before).toMatch(/\$\d/);
        await page.reload();
        await expect.poll(shown, { timeout: 60_000 }).toBe(before);
      },
    ],
    [
      'a request that failed is seen with its attempts',
      2,
      async () => {
        await open('requests?range=90d');
        await press(page.getByRole('tab', { name: 'Failed' }));
        await press(page.getByRole('row').filter({ hasText: 'failed' }).first().getByRole('link').first());
        await dialog('Request').getByText('Attempts and price').waitFor();
        await settle(page);
        await watched.checkAccessibility();
        await page.keyboard.press('Escape');
      },
    ],
  ])('%s in %i clicks', async (_, most, flow) => {
    clicks = 0;
    await flow();
    expect(clicks).toBe(most);
  });

  const ofMembers = ['Overview', 'Requests', 'Batches', 'Keys', 'Playground', 'Models'];

  test.each<[Exclude<Role, 'operator'>, readonly string[], boolean]>([
    ['tenant_admin', [...ofMembers, 'Tenant', 'Alerts', 'Audit'], true],
    ['member', ofMembers, true],
    ['viewer', ofMembers.filter((title) => title !== 'Playground'), false],
  ])('a %s sees its pages, and in each what there is of its tenant', async (role, pages, makesKeys) => {
    const { cookie } = await signInAs(gateway(), {
      id: `id-of-${role}`,
      name: role,
      role,
      tenant: 'tenant-0',
    });
    const [name = '', value = ''] = cookie.split(/=(.*)/);
    await page.goto('about:blank');
    await page.context().clearCookies();
    await page
      .context()
      .addCookies([{ name, value, url: gateway().url, httpOnly: true, sameSite: 'Strict' }]);
    await open('overview');
    await links().first().waitFor();
    expect(await links().allInnerTexts()).toEqual(pages);
    for (const title of pages) {
      await follow(page, title);
      await settle(page);
      expect([title, await alerts().count()]).toEqual([title, 0]);
      expect(await page.getByRole('main').innerText()).not.toMatch(/tenant-[1-9]/);
      if (title !== 'Keys') continue;
      await page.getByRole('tablist', { name: 'Status' }).waitFor();
      expect((await page.getByRole('button', { name: 'New key' }).count()) > 0).toBe(makesKeys);
    }
  });
});

const part = (panel: Locator, name: string) =>
  panel.locator('section').filter({ has: panel.page().getByRole('heading', { name }) });

const raise = () => {
  throw new Error('No way to fail is left.');
};

type Placed = Readonly<Record<string, readonly number[]>>;

/** Where everything is that stands before the data come. */
const placed = `scrollTo(0, 0), Object.fromEntries(
  [...document.querySelectorAll('h1, nav a, .bar button, .head-row > *, .find-request')].map((one) => {
    const { x, y } = one.getBoundingClientRect();
    return [one.textContent || one.getAttribute('aria-label') || one.className, [Math.round(x), Math.round(y)]];
  }),
)`;

const valuesTyped = `[...document.querySelectorAll('dialog :is(input, select, textarea)')].map(
  ({ value, checked }) => [value, checked],
)`;

/** Faster than a page can show that a button is busy. */
const pressTwice = (name: string) => `{
  const shown = [...document.querySelectorAll('dialog[open]')].at(-1);
  const button = [...shown.querySelectorAll('button')].find(({ textContent }) => textContent === '${name}');
  button.click();
  button.click();
}`;
