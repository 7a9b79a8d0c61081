/** Every page of the dashboard in a real browser: without errors, accessible, on a desktop and on a phone, light and dark. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createUsageStore } from '../../../lib/stores/usage/usage.ts';
import { signInByAddress } from '../../harness/admin/admin-client.ts';
import { describeInBrowser, useBrowser } from '../../harness/browser/chromium.ts';
import { enter, follow, settle } from '../../harness/browser/enter.ts';
import { openWatched, sizes } from '../../harness/browser/watched-page.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { openLedger, testRecord } from '../../harness/ledger.ts';
import { queueResponse } from '../../harness/responses/queue-response.ts';
import { shots } from '../screenshots/shots.ts';
import { writeExample } from '../screenshots/write-example.ts';

const exampleDays = 2;

describeInBrowser('the pages of the dashboard', () => {
  const gateway = useGateway();
  const browser = useBrowser();
  let isWritten = false;
  const withExample = async () => {
    if (isWritten) return;
    isWritten = true;
    await writeExample(exampleDays);
    await gateway().settled();
  };

  test.each([
    { size: 'desktop', colorScheme: 'light' },
    { size: 'phone', colorScheme: 'dark' },
  ] as const)('$size, $colorScheme', async ({ size, colorScheme }) => {
    await withExample();
    const { page, close, checkAccessibility, checkWidth } = await openWatched(browser(), {
      viewport: sizes[size],
      colorScheme,
    });
    await enter(page, gateway().url);
    // Every page in both; what opens over a page in one of them, by turns.
    const turn = size === 'desktop' ? 0 : 1;
    const wanted = shots.filter(({ prepare }, place) => !prepare || place % 2 === turn);
    for (const { path, prepare } of wanted) {
      await page.goto(`${gateway().url}/dashboard/${path}`);
      await settle(page);
      await prepare?.(page);
      expect(await page.getByRole('alert').allInnerTexts(), path).toEqual([]);
      await checkWidth();
      await checkAccessibility();
    }
    await close();
  });

  test('requests and responses in the background are among what runs, and the latter are cancelled there', async () => {
    const { call } = openLedger();
    const tenant = 'in-background';
    const { response } = await queueResponse(call, { tenant, key: 'key_one', at: Date.now() - 70_000 });
    const running = testRecord({ tenant, model: 'acme/held', at: Date.now() - 5_000 });
    await createUsageStore({ call, table: 'usage', now: Date.now }).open(running, 1);
    const { page, close, checkAccessibility } = await openWatched(browser());
    await enter(page, gateway().url);
    await page.goto(`${gateway().url}/dashboard/requests?tenant=${tenant}`);
    await page.getByRole('tab', { name: 'Running' }).click();
    await page.getByRole('cell', { name: /^1 min/ }).waitFor();
    await checkAccessibility();
    await page.getByRole('button', { name: `Cancel ${response}` }).click();
    await page.getByRole('button', { name: 'Cancel the response' }).click();
    await expect.poll(() => page.getByRole('region', { name: 'Running' }).getByRole('row').count()).toBe(2);
    await page.getByRole('cell', { name: 'acme/held' }).waitFor();
    await close();
  });

  test('from a request id to why it was refused in two steps, and to all that were', async () => {
    const { page, close, checkAccessibility, checkWidth } = await openWatched(browser(), {
      viewport: sizes.phone,
    });
    const body = { model: 'openai/no-such-model', messages: [{ role: 'user', content: 'Hello?' }] };
    const refused = await gateway().post('/v1/chat/completions', body);
    expect(refused.status).toBe(404);
    await refused.text();
    await enter(page, gateway().url, 'requests?tenant=local');
    await page.getByRole('searchbox', { name: 'Request id' }).fill(refused.headers.get('x-request-id') ?? '');
    await page.keyboard.press('Enter');
    await page.getByText("The model 'openai/no-such-model' does not exist.").waitFor();
    await settle(page);
    await checkAccessibility();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Refused' }).click();
    await page.getByRole('heading', { name: 'How many, by key and reason' }).waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'HTTP status' }).fill('404');
    await checkAccessibility();
    await checkWidth();
    await page.getByRole('combobox', { name: 'HTTP status' }).press('Enter');
    await page.getByRole('heading', { name: 'How many, by key and reason' }).waitFor();
    await settle(page);
    await checkAccessibility();
    await checkWidth();
    await close();
  });

  test('range, filters and grouping outlive a reload, and go along to another page', async () => {
    await withExample();
    const { page, close, checkAccessibility, checkWidth } = await openWatched(browser(), {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await enter(page, gateway().url, 'overview');
    await page.getByRole('button', { name: /^Last 7 days|^Range/ }).click();
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    await page.getByRole('combobox', { name: 'By' }).selectOption('tenant');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('combobox', { name: 'Tenant' }).fill('acme-robotics');
    await page.getByRole('combobox', { name: 'Tenant' }).press('Enter');
    await page.getByText('Budget this month').waitFor();
    await settle(page);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ range: '30d', by: 'tenant', tenant: 'acme-robotics' });
    const shown = async () => (await page.getByRole('main').innerText()).replace(/as of .*/, '');
    const before = await shown();
    await page.reload();
    await expect.poll(shown, { timeout: 60_000 }).toBe(before);
    // Saved in two clicks and its name, and opened again in two.
    await page.getByRole('button', { name: /^View|saved views$/ }).click();
    await page.getByRole('button', { name: 'Copy the link to this view' }).click();
    await page.locator('.toast', { hasText: 'The link is copied.' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(page.url());
    await page.getByRole('button', { name: /^View|saved views$/ }).click();
    await checkAccessibility();
    await page.getByLabel('Name of this view').fill('Robots');
    await page.keyboard.press('Enter');
    await follow(page, 'Requests');
    await settle(page);
    expect(new URL(page.url()).searchParams.get('tenant')).toBe('acme-robotics');
    expect(await page.getByRole('button', { name: 'Remove the filter Tenant' }).count()).toBe(1);
    await page.goBack();
    await expect.poll(shown, { timeout: 60_000 }).toBe(before);
    await follow(page, 'Models');
    await page.getByRole('button', { name: /^View|saved views$/ }).click();
    await page.getByRole('link', { name: 'Robots' }).click();
    await expect.poll(shown, { timeout: 60_000 }).toBe(before);
    // On paper: the whole chart, and nothing that is clicked.
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 700, height: 1000 });
    await checkWidth();
    const chart = await page.getByRole('img', { name: /^Spend by/ }).boundingBox();
    expect((chart?.x ?? 0) + (chart?.width ?? 1e9)).toBeLessThanOrEqual(700);
    expect(await page.getByRole('button', { name: /CSV|Filter|Show as table|Read again/ }).count()).toBe(0);
    expect(await page.getByRole('columnheader', { name: 'First token' }).count()).toBe(1);
    await page.getByText(/^\d{4}-\d\d-\d\d 00:00:00 – .* UTC$/).waitFor();
    await close();
  });

  test('a conversation in the playground, with the code and the record of what it sent', async () => {
    const operator = await signInByAddress(gateway());
    const keys = async (
      others: readonly string[] = [],
    ): Promise<readonly { id: string; status: string }[]> => {
      const { body } = await operator.call('GET', '/keys?search=playground');
      return body.data.filter(({ id }: { id: string }) => !others.includes(id));
    };
    const others = (await keys()).map(({ id }) => id);
    const { page, close, checkAccessibility, checkWidth } = await openWatched(browser(), {
      viewport: sizes.phone,
    });
    await enter(page, gateway().url, 'playground?tenant=local&models=openai/gpt-5.5');
    await page.getByText('System text, parameters').click();
    await page.getByLabel('System text').fill('Be brief.');
    await page.getByLabel('Reasoning effort').selectOption('low');
    await page.getByLabel('Image').setInputFiles({
      name: 'one.png',
      mimeType: 'image/png',
      buffer: await readFile(join(import.meta.dirname, '../../../docs/images/overview.png')),
    });
    await page.getByRole('button', { name: 'Remove the image' }).waitFor();
    await page.getByLabel('Prompt').fill('What is this?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByLabel('Next prompt').fill('And now?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('link', { name: 'Its request' }).nth(1).waitFor();
    await settle(page);
    await checkAccessibility();
    await checkWidth();

    await page.getByRole('button', { name: 'Code' }).click();
    const code = page.getByRole('dialog', { name: 'Code of this request' });
    await code.getByRole('tab', { name: 'Python' }).click();
    const text = await code.getByRole('figure', { name: 'Python' }).innerText();
    expect(text).toContain('"content": "Be brief."');
    expect(text).toContain('reasoning_effort="low"');
    expect(text.length).toBeLessThan(3_000);
    await checkAccessibility();
    await page.keyboard.press('Escape');

    // One click, in a tab of its own.
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Its request' }).first().click();
    await (await opened).getByRole('dialog', { name: 'Request' }).getByText('Input tokens').waitFor();
    expect(await page.getByRole('link', { name: 'Its request' }).count()).toBe(2);

    // Another visit goes on with the key of the first one, and signing out disables it.
    await page.setViewportSize(sizes.desktop);
    await follow(page, 'Models');
    await settle(page);
    await page.goBack();
    await page.getByLabel('Prompt').fill('Once more?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('link', { name: 'Its request' }).waitFor();
    expect(await keys(others)).toMatchObject([{ status: 'active' }]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'detached' });
    expect(await keys(others)).toMatchObject([{ status: 'disabled' }]);
    await close();
  });

  test('a page that was left behind by a new version, or is unknown, has a way on', async () => {
    const { page, close, allow } = await openWatched(browser());
    await enter(page, gateway().url, 'nothing-here');
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await settle(page);
    expect(new URL(page.url()).pathname).toBe('/dashboard/overview');
    allow(/404/);
    await close();
  });
});
