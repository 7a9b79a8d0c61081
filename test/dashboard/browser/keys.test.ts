/** The life of an API key in a real browser: made, used by OpenAI's SDK, seen among the requests, disabled and refused. */
import OpenAI from 'openai';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../../harness/browser/chromium.ts';
import { enter, follow, settle } from '../../harness/browser/enter.ts';
import { openWatched } from '../../harness/browser/watched-page.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';

/** Of a key that was disabled, in milliseconds. */
const mayStillWorkMs = 10_000;

describeInBrowser('the life of a key', () => {
  const gateway = useGateway();
  const browser = useBrowser();

  /** Fills the dialog and returns the secret, which is still shown. */
  async function makeKey(page: Page, tenant: string, name: string): Promise<string> {
    await page.getByRole('button', { name: 'New key' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New key' });
    await dialog.getByRole('combobox', { name: 'Tenant' }).fill(tenant);
    await dialog.getByRole('combobox', { name: 'Tenant' }).press('Enter');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('dialog', { name: 'Your new key' });
    return (await shown.getByRole('figure', { name: 'The key', exact: true }).innerText()).trim();
  }

  test('created, used, seen, disabled, refused within ten seconds, and enabled again', async () => {
    const { url, settled } = gateway();
    const { page, close, checkAccessibility } = await openWatched(browser());
    await enter(page, url, 'keys');
    const secret = await makeKey(page, 'local', 'Release notes');
    expect(secret).toMatch(/^mgw_\w{40}$/);
    await checkAccessibility();
    await page.getByRole('button', { name: 'I have saved it' }).click();

    const client = new OpenAI({ apiKey: secret, baseURL: `${url}/v1`, maxRetries: 0 });
    const ask = () =>
      client.chat.completions.create({
        model: 'anthropic/claude-haiku-4-5',
        messages: [{ role: 'user', content: 'A prompt that nobody else reads.' }],
      });
    const answer = await ask();
    expect(answer.choices[0]?.message.content).toBeTruthy();

    await settled();
    await follow(page, 'Requests');
    const row = page.getByRole('row').filter({ hasText: 'claude-haiku-4-5' }).first();
    await row.waitFor();
    await row.getByRole('link').first().click();
    const one = page.getByRole('dialog');
    await one.waitFor();
    await settle(page);
    expect(await one.innerText()).not.toContain('A prompt that nobody');
    await checkAccessibility();
    await page.keyboard.press('Escape');

    await follow(page, 'Keys');
    await page.getByRole('link', { name: 'Release notes' }).click();
    await page
      .getByRole('dialog', { name: 'Release notes' })
      .getByRole('button', { name: 'Disable' })
      .click();
    await page.getByRole('button', { name: 'Disable now' }).click();
    await page.locator('.toast', { hasText: 'The key is disabled' }).waitFor();
    await expect
      .poll(
        () =>
          ask().then(
            () => 200,
            ({ status }) => status,
          ),
        { timeout: mayStillWorkMs, interval: 500 },
      )
      .toBe(401);
    const panel = page.getByRole('dialog', { name: 'Release notes' });
    await panel.getByRole('button', { name: 'Enable' }).click();
    await checkAccessibility();
    await page
      .getByRole('dialog', { name: 'Enable this key?' })
      .getByRole('button', { name: 'Enable' })
      .click();
    await panel.getByText('active', { exact: true }).waitFor();
    await close();
  });

  test('its secret is in no address, storage or markup once its dialog is closed', async () => {
    const { page, close } = await openWatched(browser());
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await enter(page, gateway().url, 'keys');
    const secret = await makeKey(page, 'local', 'Only once');
    for (const key of ['Escape', 'Escape', 'Escape', 'Control+k']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).toBe(1);
    expect(await page.getByRole('dialog', { name: 'Your new key' }).isVisible()).toBe(true);
    expect(await page.content()).toContain(secret);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor({ state: 'detached' });
    await settle(page);
    const kept = [await page.content(), await page.evaluate<string>(everythingKept), ...addresses];
    for (const text of kept) expect(text).not.toContain(secret.slice(4));
    await page.goBack();
    await page.goForward();
    expect(await page.content()).not.toContain(secret.slice(4));
    await close();
  });

  test('by keyboard alone', async () => {
    const { page, close } = await openWatched(browser());
    await enter(page, gateway().url, 'overview');
    const { keyboard } = page;
    await tabTo(page, 'Keys');
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'New key' }).first().waitFor();
    await tabTo(page, 'New key');
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New key' }).waitFor();
    await tabTo(page, 'Tenant');
    await keyboard.type('local');
    await keyboard.press('Enter');
    await tabTo(page, 'Name');
    await keyboard.type('By keyboard');
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
    await tabTo(page, 'I have saved it');
    await keyboard.press('Enter');
    await page.getByRole('link', { name: 'By keyboard' }).waitFor();
    expect(await page.evaluate(focused)).toMatch(/New key/);
    // From any page to it by its name: two keys, and the name.
    await page.goto(`${gateway().url}/dashboard/models`);
    await page.getByRole('button', { name: /^Go to/ }).waitFor();
    await keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Page, key/ }).waitFor();
    await keyboard.type('by keyb');
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'By keyboard' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/keys');
    await close();
  });
});

/** The name of what has the focus. */
const focused = `(() => {
  const { activeElement: one } = document;
  return one?.getAttribute('aria-label') || one?.labels?.[0]?.innerText || one?.innerText || '';
})()`;

/** Presses the tab key until something of that name has the focus, and a ring that shows it. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    if (
      String(await page.evaluate(focused))
        .trim()
        .startsWith(name)
    ) {
      expect(await page.evaluate("document.activeElement.matches(':focus-visible')")).toBe(true);
      return;
    }
  }
  throw new Error(`The tab key does not lead to ${name}.`);
}

/** All that the page has kept anywhere that scripts can see. */
const everythingKept = `(async () => {
  const databases = await indexedDB.databases();
  const cached = await caches.keys();
  const entries = performance.getEntries().map(({ name }) => name);
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, name, databases, cached, entries, document.cookie]);
})()`;
