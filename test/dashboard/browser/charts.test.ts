/** The overview and the requests in a real browser: charts by keyboard and by click, new requests without losing the place. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../../harness/browser/chromium.ts';
import { enter, settle } from '../../harness/browser/enter.ts';
import { openWatched } from '../../harness/browser/watched-page.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';

const model = 'openai/gpt-4.1';

/** In pixels: what is left of the first slot of a chart with numbers of one digit. */
const axisWidth = 17;

describeInBrowser('charts and requests', () => {
  const gateway = useGateway();
  const browser = useBrowser();

  async function ask(times: number) {
    const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
    for (let time = 0; time < times; time += 1)
      await (await gateway().post('/v1/chat/completions', body)).json();
    await gateway().settled();
  }

  const boxOf = async (element: Locator) =>
    (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const slider = (page: Page) => page.getByRole('slider', { name: /^Requests by model/ });

  test('the arrow keys move over the days of a chart, its table has the same numbers, and Enter opens the day', async () => {
    const hour = new Date().getUTCHours();
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
    const opened = new URL(page.url()).searchParams;
    expect(opened.get('from')).toBe(opened.get('to'));

    // Drawn over two hours, and from one of them to its requests: two steps.
    const { x, y, width } = await boxOf(page.getByRole('img', { name: /^Requests by model/ }));
    const over = (slot: number, slots: number, below = 60) =>
      page.mouse.move(x + axisWidth + ((width - axisWidth) * (slot + 0.5)) / slots, y + below);
    const other = hour < 23 ? hour + 1 : hour - 1;
    await over(hour, 24);
    await page.mouse.down();
    await over(other, 24);
    // It is released beside the chart.
    await over(other, 24, 300);
    await page.mouse.up();
    await expect.poll(() => slider(page).getAttribute('max'), { timeout: 60_000 }).toBe('1');
    const zoomed = new URL(page.url()).searchParams;
    expect(new Date(zoomed.get('from') ?? '').getUTCHours()).toBe(Math.min(hour, other));
    await over(hour < 23 ? 0 : 1, 2);
    await page.mouse.down();
    await page.mouse.up();
    await page.getByRole('region', { name: 'Requests' }).waitFor();
    const opens = new URL(page.url()).searchParams;
    expect(new Date(opens.get('from') ?? '').getUTCHours()).toBe(hour);

    // To the second, in the form.
    await page.getByRole('button', { name: /:00:00 – / }).click();
    await page.getByLabel('From').fill(`${opens.get('from')?.slice(0, 14)}59:59`);
    await checkAccessibility();
    await page.getByRole('button', { name: 'Show this time' }).click();
    await page.getByRole('button', { name: /:59:59 – / }).waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toMatch(/:59:59Z$/);
    await close();
  });

  test('a group leads to its own view, and from there to its requests', async () => {
    await ask(1);
    const { page, close } = await openWatched(browser());
    await enter(page, gateway().url, 'overview?range=1h&by=tenant');
    const sorted = page.waitForRequest(/\/usage\?.*sort=margin&order=desc/);
    await page.getByRole('button', { name: 'Margin' }).click();
    await sorted;
    await page.getByText('Margin in this time').waitFor();
    const search = page.getByLabel('Search by tenant');
    await search.fill('nobody');
    await page.getByText('Nothing is named so in this time.').waitFor();
    await search.fill('LOC');
    await page.getByRole('region', { name: 'By tenant' }).getByRole('link', { name: 'local' }).click();
    await settle(page);
    expect(new URL(page.url()).searchParams.get('search')).toBeNull();
    await page.getByRole('region', { name: 'By model' }).getByRole('link', { name: model }).click();
    await settle(page);
    expect(new URL(page.url()).searchParams.get('model')).toBe(model);
    await page.getByRole('heading', { name: 'Spend by key' }).waitFor();
    // From a number to its requests, in one step each: of the whole hours or days that it is of.
    await page.getByText(/^The sums are of whole (hours|days): /).waitFor();
    const keys = page.getByRole('region', { name: 'By key' });
    for (const [number, status] of [
      [/^[1-9]\d*$/, null],
      ['0%', 'failed'],
    ] as const) {
      await keys.getByRole('link', { name: number }).first().click();
      await page.getByRole('tablist', { name: 'Status' }).waitFor();
      const { searchParams } = new URL(page.url());
      expect(searchParams.get('key')).toMatch(/^key_/);
      expect(searchParams.get('from')).toMatch(/^\d{4}-\d\d-\d\d(T\d\d:00:00Z)?$/);
      expect([searchParams.get('model'), searchParams.get('status')]).toEqual([model, status]);
      await page.goBack();
    }
    await page.getByLabel('Group by').selectOption('tag');
    await page.getByLabel('Name of the tag').fill('team');
    await page.getByRole('region', { name: 'By team' }).getByText('no team given').waitFor();
    await close();
  });

  test('new requests are offered, and shown on demand; one of them has an address of its own', async () => {
    await ask(1);
    const { page, close, checkAccessibility } = await openWatched(browser(), { timezoneId: 'Asia/Kolkata' });
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
    await page
      .getByRole('dialog')
      .getByText(/ UTC \(.* GMT\+5:30\)/)
      .first()
      .waitFor();
    await checkAccessibility();
    await page.reload();
    await page.getByRole('dialog').getByText('Input tokens').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('id')).toBe(false);
    await close();
  });

  test('the overview reads itself again while it is seen, and marks what it could not read', async () => {
    await ask(1);
    const { page, close, allow } = await openWatched(browser());
    await page.clock.install();
    await enter(page, gateway().url, 'overview?range=today&metric=requests');
    await slider(page).waitFor({ state: 'attached' });
    let reads = 0;
    page.on('request', (request) => {
      if (request.url().includes('/admin/v1/overview')) reads += 1;
    });
    const total = async () => Number((await slider(page).getAttribute('aria-valuetext'))?.split(/[:;] /)[1]);
    const before = await total();
    await ask(1);
    await page.clock.runFor(31_000);
    await expect.poll(total, { timeout: 60_000 }).toBe(before + 1);
    expect(reads).toBe(1);

    await page.evaluate(hide);
    await page.clock.runFor(120_000);
    expect(reads).toBe(1);
    await page.evaluate(show);
    await expect.poll(() => reads).toBe(2);
    await settle(page);

    await page.route('**/admin/v1/overview?**', (route) => route.fulfill({ status: 500, json: {} }));
    allow(/500/);
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByText('stale').waitFor();
    expect(await total()).toBe(before + 1);
    await page.unroute('**/admin/v1/overview?**');
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByText('stale').waitFor({ state: 'detached' });
    await page.getByText(/^as of \w{3} \d+, [\d:]{8} UTC$/).waitFor();
    await close();
  });
});

/** The tab is behind another one, and in front again. */
const changed = "document.dispatchEvent(new Event('visibilitychange'))";
const hide = `Object.defineProperty(document, 'hidden', { value: true, configurable: true }); ${changed}`;
const show = `delete document.hidden; ${changed}`;
