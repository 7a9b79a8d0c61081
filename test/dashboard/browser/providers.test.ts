/** Providers in a real browser: an operator says what the contract with one is. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signInByAddress } from '../../harness/admin/admin-client.ts';
import { describeInBrowser, useBrowser } from '../../harness/browser/chromium.ts';
import { enter, settle } from '../../harness/browser/enter.ts';
import { openWatched } from '../../harness/browser/watched-page.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';

describeInBrowser('a provider', () => {
  const gateway = useGateway({
    GATEWAY_ENVIRONMENT_FILE: join(mkdtempSync(join(tmpdir(), 'gateway-env-')), '.env'),
    MISTRAL_API_KEY: 'of-the-environment',
    MISTRAL_UPSTREAM_URL: 'http://127.0.0.1:9',
  });
  const browser = useBrowser();

  test('is tested, and has a key that is stored and removed', async () => {
    const { page, close } = await openWatched(browser());
    await enter(page, gateway().url, 'providers?id=mistral');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('unreachable').waitFor();
    await page.goto(`${gateway().url}/dashboard/providers?id=groq`);
    const panel = page.getByRole('dialog', { name: 'Groq' });
    await panel.getByLabel('API key').fill('gsk-of-the-page');
    await panel.getByRole('button', { name: 'Store', exact: true }).click();
    await panel.getByRole('button', { name: 'Remove' }).click();
    const question = page.getByRole('dialog', { name: 'Remove api-key of groq?' });
    await question.getByRole('button', { name: 'Remove' }).click();
    await panel.getByText('set: GROQ_API_KEY').waitFor({ state: 'detached' });
    await close();
  });

  test('has a contract that is stored, shown again, and taken back, and no more is taken over from its document', async () => {
    const { page, close, allow, checkAccessibility, checkWidth } = await openWatched(browser());
    allow(/400 \(Bad Request\)/);
    const operator = await signInByAddress(gateway());
    const known = async () => {
      const { body } = await operator.call('GET', '/providers');
      return body.data.find(({ id }: { id: string }) => id === 'openai').data;
    };
    await enter(page, gateway().url, 'providers?id=openai');
    const panel = page.getByRole('dialog', { name: 'OpenAI' });
    const store = panel.getByRole('button', { name: 'Store the contract' });
    const kept = panel.getByLabel('Days that content is kept');
    await panel.getByText('kept 30 days').first().waitFor();
    await kept.fill('soon');
    await store.click();
    await panel.locator('.field-error').waitFor();
    expect((await known()).contract).toBeNull();
    await kept.fill('0');
    await panel.getByLabel('Days that flagged content is kept').fill('0');
    const features = panel.getByRole('combobox', { name: 'Zero retention also with' });
    await features.fill('web_search');
    await features.press('Enter');
    await store.click();
    await panel.getByText('your contract, else its document').waitFor();
    await settle(page);
    await checkAccessibility();
    await checkWidth();
    const contract = { retention_days: 0, flagged_days: 0, trains: null, zdr_features: ['web_search'] };
    expect(await known()).toMatchObject({ contract, retention_days: 0, trains: false });
    await page.reload();
    expect(await kept.inputValue()).toBe('0');
    await panel.getByRole('button', { name: 'Remove web_search' }).click();
    await panel.getByLabel('Trains on it').selectOption('no');
    await features.fill('none');
    await features.press('Enter');
    await store.click();
    await expect
      .poll(async () => (await known()).contract)
      .toEqual({ ...contract, trains: false, zdr_features: [] });
    await kept.fill('');
    await panel.getByLabel('Days that flagged content is kept').fill('');
    await panel.getByLabel('Trains on it').selectOption('');
    await panel.getByRole('button', { name: 'Remove none' }).click();
    await store.click();
    await panel.getByText('kept 30 days').first().waitFor();
    expect((await known()).contract).toBeNull();
    await close();
  });
});
