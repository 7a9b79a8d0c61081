/** The overview and the requests in a real browser: charts by keyboard and by click, new requests without losing the place. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../../harness/browser/chromium.ts';
import { enter, settle } from '../../harness/browser/enter.ts';
import { openWatched } from '../../harness/browser/watched-page.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';

const model = 'openai/gpt-4.1';

describeInBrowser('charts and requests', () => {
  const gateway = useGateway();
  const browser = useBrowser();

  async function ask(times: number) {
    const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
    for (let time = 0; time < times; time += 1)
      await (await gateway().post('/v1/chat/completions', body)).json();
    await gateway().settled();
  }

  const slider = (page: Page) => page.getByRole('slider', { name: /^Requests by model/ });

  test('the arrow keys move over the days of a chart, its table has the same numbers, and Enter opens the day', async () => {
    await ask(3);
    const { page, close, checkAccessibility } = await openWatched(browser());
    await enter(page, gateway().url, 'overview?metric=requests');
    await slider(page).focus();
    const today = await slider(page).getAttribute('aria-valuetext');
    expect(today).toMatch(new RegExp(`^\\w{3} \\d+, \\d{4}: 3; ${model} 3$`));
    await slider(page).press('ArrowLeft');
    expect(await slider(page).getAttribute('aria-valuetext')).toMatch(/: (0|no data)$/);
    await slider(page).press('ArrowRight');

    await page.getByRole('button', { name: 'Show as table' }).first().click();
    const table = page.getByRole('region', { name: /^Requests by model/ });
    const row = table.getByRole('row').filter({ hasText: today?.split(':')[0] ?? '' });
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([today?.split(':')[0], '3', '3']);
    await checkAccessibility();
    await page.getByRole('button', { name: 'Show as chart' }).click();

    await slider(page).focus();
    await slider(page).press('Enter');
    await expect
      .poll(() => slider(page).getAttribute('aria-valuetext'), { timeout: 60_000 })
      .toContain(':00');
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('from')).toBe(searchParams.get('to'));
    await close();
  });

  test('a group leads to its own view, and from there to its requests', async () => {
    await ask(1);
    const { page, close } = await openWatched(browser());
    await enter(page, gateway().url, 'overview?tenant=local');
    await page.getByRole('region', { name: 'By model' }).getByRole('link', { name: model }).click();
    await settle(page);
    expect(new URL(page.url()).searchParams.get('model')).toBe(model);
    await page.getByRole('heading', { name: 'Spend by key' }).waitFor();
    await close();
  });

  test('new requests are offered, and shown on demand; one of them has an address of its own', async () => {
    await ask(1);
    const { page, close, checkAccessibility } = await openWatched(browser());
    await page.clock.install();
    await enter(page, gateway().url, 'requests');
    const rows = page.getByRole('region', { name: 'Requests' }).locator('tbody tr[data-index]');
    await rows.first().waitFor();
    const before = await rows.count();
    await ask(2);
    await page.clock.runFor(11_000);
    const offer = page.getByRole('button', { name: '2 new requests' });
    await offer.waitFor();
    expect(await rows.count()).toBe(before);
    await offer.click();
    expect(await rows.count()).toBe(before + 2);

    await rows.first().getByRole('link').click();
    await page.getByRole('dialog').getByText('Input tokens').waitFor();
    await checkAccessibility();
    await page.reload();
    await page.getByRole('dialog').getByText('Input tokens').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('id')).toBe(false);
    await close();
  });
});
