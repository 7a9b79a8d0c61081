/** Management keys on the page of tenants, in a real browser: made, used by a program, and revoked. */
import { expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../../harness/browser/chromium.ts';
import { enter, settle } from '../../harness/browser/enter.ts';
import { openWatched } from '../../harness/browser/watched-page.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';

describeInBrowser('management keys', () => {
  const gateway = useGateway();
  const browser = useBrowser();
  const statusWith = async (key: string) =>
    (await fetch(`${gateway().url}/admin/v1/tenants`, { headers: { authorization: `Bearer ${key}` } }))
      .status;

  test('an operator makes one, sees its secret once, and revokes it', async () => {
    const { page, close, checkAccessibility, allow } = await openWatched(browser());
    // The operation that does not exist.
    allow(/400 \(Bad Request\) \(http:\/\/[^)]*\/admin\/v1\/management-keys\)/);
    await enter(page, gateway().url, 'tenants');
    await page.getByRole('button', { name: 'New management key' }).first().click();
    await page.getByLabel('Name').fill('Terraform');
    await page.getByLabel('Role').selectOption('operator');
    await page.getByLabel('Operations').fill('admin-nothing');
    await page.keyboard.press('Enter');
    await checkAccessibility();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('.field-error').waitFor();
    await page.getByRole('button', { name: 'Remove admin-nothing' }).click();
    await page.getByLabel('Operations').fill('admin-tenants-list');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your new management key' });
    const key = /mgm_[\w-]{43}/.exec((await dialog.textContent()) ?? '')?.[0] ?? '';
    await checkAccessibility();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have saved it' }).click();
    expect(await page.content()).not.toContain(key.slice(4));
    expect(await statusWith(key)).toBe(200);
    await settle(page);
    await checkAccessibility();
    await page.getByRole('button', { name: 'Revoke Terraform' }).click();
    await page.getByRole('button', { name: 'Revoke now' }).click();
    await page.locator('.toast', { hasText: 'Terraform is revoked.' }).waitFor();
    expect(await statusWith(key)).toBe(401);
    await close();
  });
});
