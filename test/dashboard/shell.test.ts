/** The page around the pages, in a browser: addresses, long tables, the end of a session, and a deployment while it is open. */

import { readFile } from 'node:fs/promises';
import type { Page, Route } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limitRows } from '../../dashboard/pages/form-values.ts';
import type { KeyRow } from '../../lib/admin/keys/schema.ts';
import { signInAs } from '../harness/admin/admin-client.ts';
import { describeInBrowser, useBrowser } from '../harness/browser/chromium.ts';
import { openWatched, sizes, type WatchedPage } from '../harness/browser/watched-page.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';

const limits = Object.fromEntries(
  [...limitRows.map(({ field }) => field), 'credit_usd'].map((field) => [field, null]),
) as unknown as KeyRow['limits'];

const keyOf = (index: number): KeyRow => ({
  object: 'key',
  id: `key_${String(index).padStart(12, '0')}`,
  tenant: 'acme',
  name: index === 1 ? '=1+1' : `Key ${index}`,
  owner: null,
  family: null,
  status: 'active',
  created_at: 1_790_000_000 - index,
  last_used_at: null,
  expires_at: null,
  disabled_at: null,
  limits,
  models: null,
  operations: null,
  cache: null,
  guardrails: null,
  data_policy: null,
  etag: `"${index}"`,
});

const listOf = (data: readonly object[]) => ({ object: 'list', data, has_more: false, next_after: null });

const refusal = {
  error: {
    message: 'limits.daily_budget_usd must be an amount in US dollars as text.',
    type: 'invalid_request_error',
    param: 'limits.daily_budget_usd',
    code: null,
  },
};

/** From now on, for calls of `/keys` and `/tenants`. */
async function answerKeys(
  page: Page,
  { count, delayMs = 0 }: { readonly count: number; readonly delayMs?: number },
): Promise<void> {
  const keys = Array.from({ length: count }, (_, index) => keyOf(index));
  const answer = async (route: Route, body: object, status = 200) => {
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    await route.fulfill({ status, json: body });
  };
  await page.route(/\/admin\/v1\/tenants/, (route) => answer(route, listOf([{ id: 'acme' }])));
  await page.route(/\/admin\/v1\/keys(\?|$)/, (route) => {
    if (route.request().method() === 'GET') return answer(route, listOf(keys));
    return answer(route, refusal, 400);
  });
  await page.route(/\/admin\/v1\/keys\/key_/, (route) => {
    const id = route.request().url().split('/').at(-1);
    const found = keys.find((key) => key.id === id) ?? keyOf(0);
    return answer(route, { ...found, use: [] });
  });
}

const scrollDown = "document.querySelector('.table-box').scrollTop = 1e6";
const focused = 'document.activeElement.value';
const inDocument = 'document.documentElement.outerHTML';

describeInBrowser('the dashboard in a browser', () => {
  const gateway = useGateway();
  const browser = useBrowser();
  let watched: WatchedPage;
  let page: Page;

  beforeEach(async () => {
    watched = await openWatched(browser());
    page = watched.page;
    const { cookie } = await signInAs(gateway(), { id: 'ana', name: 'Ana', role: 'operator' });
    const [name = '', value = ''] = cookie.split(/=(.*)/);
    await page
      .context()
      .addCookies([{ name, value, url: gateway().url, httpOnly: true, sameSite: 'Strict' }]);
    await answerKeys(page, { count: 10_000 });
  });
  afterEach(() => watched.close());

  const open = async (address: string) => {
    await page.goto(`${gateway().url}/dashboard/${address}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  const rows = () => page.locator('tbody tr[data-index]');

  test('ten thousand rows scroll, by wheel and by keyboard, with few of them in the document', async () => {
    await open('keys');
    await rows().first().waitFor();
    expect(await rows().count()).toBeLessThan(80);
    await page.evaluate(scrollDown);
    await page.getByRole('link', { name: 'Key 9999', exact: true }).waitFor();
    expect(await rows().count()).toBeLessThan(80);
    await page.getByRole('link', { name: 'Key 9999', exact: true }).focus();
    await page.keyboard.press('Home');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Key 0');
    await page.keyboard.press('PageDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^Key (1|2)\d$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(page.url()).toContain('id=key_');
    await watched.checkAccessibility();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.url()).not.toContain('id=');
  });

  test('a table is saved as CSV with what it shows, and no cell is a formula', async () => {
    await open('keys');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/^keys-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(10_001);
    expect(lines[0]).toContain('Name,Status,Tenant');
    expect(lines[2]).toContain("'=1+1");
  });

  test('a search that finds little goes on by itself, and a file has the pages that are not shown, too', async () => {
    const asked: (string | null)[] = [];
    await page.route(/\/admin\/v1\/keys(\?|$)/, (route) => {
      const after = new URL(route.request().url()).searchParams.get('after');
      asked.push(after);
      const place = Number(after ?? 0);
      // Nothing in the first pages, then many a page.
      const data = place < 3 ? [] : Array.from({ length: 30 }, (_, index) => keyOf(30 * place + index));
      const hasMore = place < 5;
      return route.fulfill({
        json: { object: 'list', data, has_more: hasMore, next_after: hasMore ? `${place + 1}` : null },
      });
    });
    await open('keys');
    await rows().nth(29).waitFor();
    await page.getByRole('button', { name: 'Load more' }).waitFor();
    expect(asked).toEqual([null, '1', '2', '3']);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const lines = (await readFile(await (await saving).path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(1 + 3 * 30);
    expect(await rows().count()).toBe(30);
  });

  test('what the API refuses is shown at its field, which gets the focus', async () => {
    watched.allow(/status of 400/);
    await open('keys?tenant=acme');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('A day').fill('much');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('must be an amount').waitFor();
    await expect.poll(() => page.evaluate(focused)).toBe('much');
    await watched.checkAccessibility();
  });

  test('filters are in the URL: another tab, reload, back and forward have the same', async () => {
    await open('keys');
    await page.getByRole('tab', { name: 'Active' }).click();
    await expect.poll(() => page.url()).toContain('status=active');
    await page.reload();
    await page.getByRole('tab', { name: 'Active', selected: true }).waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: 'All', selected: true }).waitFor();
    await page.goForward();
    await page.getByRole('tab', { name: 'Active', selected: true }).waitFor();
  });

  test('the data that were read last are there at once, while new ones load; all rows are printed', async () => {
    await open('keys');
    await rows().first().waitFor();
    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByLabel('Prompt').waitFor();
    await answerKeys(page, { count: 150, delayMs: 1_500 });
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByText('10,000 rows').waitFor({ timeout: 1_000 });
    await page.getByText('150 rows', { exact: true }).waitFor();
    expect(await rows().count()).toBeLessThan(80);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await expect.poll(() => rows().count()).toBe(150);
  });

  test('the end of a session leads to the sign-in, and its data are gone', async () => {
    watched.allow(/status of 401|\/tenants/);
    await open('keys');
    await rows().first().waitFor();
    await page.context().clearCookies();
    await page.unrouteAll();
    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByText('The session has ended').waitFor();
    expect(await page.evaluate(inDocument)).not.toContain('Key 1');
    expect(page.url()).toContain('/dashboard/playground');
    await watched.checkAccessibility();
  });

  test('a part that a deployment has replaced has the page loaded again, once', async () => {
    watched.allow(/status of 404/);
    await open('keys');
    await rows().first().waitFor();
    let refused = 0;
    await page.route(/assets\/page-/, (route) => {
      refused += 1;
      return refused <= 2 ? route.fulfill({ status: 404 }) : route.fallback();
    });
    await page.getByRole('link', { name: 'Playground' }).click();
    // The gateway has the same page as before: nothing is lost.
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.route(/\/dashboard\/playground$/, (route) => route.fulfill({ body: '<html></html>' }), {
      times: 1,
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('in its new version').last().waitFor();
    await page.getByLabel('Prompt').waitFor();
    await page.route(/assets\/page-/, (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Models' }).click();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });

  test('a theme that is chosen stays, and the menu of a phone opens, closes and fits', async () => {
    await page.setViewportSize(sizes.phone);
    await open('keys');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.locator('label', { hasText: 'Dark' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Overview' }).waitFor({ state: 'hidden' });
    await page.reload();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await rows().first().waitFor();
    await watched.checkWidth();
    await watched.checkAccessibility();
  });
});
