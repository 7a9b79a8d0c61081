/** Providers and the catalog in a real browser: keys, contracts, hosts, models and aliases of an operator. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { signInAs, signInByAddress } from '../../harness/admin/admin-client.ts';
import { describeInBrowser, useBrowser } from '../../harness/browser/chromium.ts';
import { enter, settle } from '../../harness/browser/enter.ts';
import { openWatched, sizes } from '../../harness/browser/watched-page.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { use } from '../../harness/use.ts';

describeInBrowser('providers and the catalog', () => {
  const gateway = useGateway({
    GATEWAY_ENVIRONMENT_FILE: join(mkdtempSync(join(tmpdir(), 'gateway-env-')), '.env'),
    MISTRAL_API_KEY: 'of-the-environment',
    MISTRAL_UPSTREAM_URL: 'http://127.0.0.1:9',
  });
  const browser = useBrowser();
  const operator = use(() => signInByAddress(gateway()));

  test('a provider is tested, and has a key that is stored and removed', async () => {
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

  test('a provider has a contract that is stored, shown again, and taken back, and no more is taken over from its document', async () => {
    const { page, close, allow, checkAccessibility, checkWidth } = await openWatched(browser());
    allow(/400 \(Bad Request\)/);
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
      .poll(async () => (await known()).contract, { timeout: 60_000 })
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

  const hostile = '<img src=x onerror="document.title=1"> \u202e"; drop';
  const press = async (within: Locator, name: string) =>
    await within.getByRole('button', { name, exact: true }).click();

  test('a host, a model and an alias are added, corrected at their fields, changed beside others, and removed', async () => {
    const { page, close, allow, checkAccessibility, checkWidth } = await openWatched(browser(), {
      viewport: sizes.phone,
    });
    allow(/(400 \(Bad Request|409 \(Conflict)\)/);
    const rowOf = async (path: string) => (await operator.call('GET', path)).body.row;
    const body = page.locator('body');
    const saved = () => page.locator('.toast', { hasText: 'Stored. It takes effect' }).last().waitFor();
    const wrong = (within: Locator, label: string, text: string) =>
      within.locator('.field', { hasText: label }).locator('.field-error', { hasText: text }).waitFor();
    await enter(page, gateway().url, 'overview');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Page, key/ }).fill('aliases');
    await page.keyboard.press('Enter');

    // Three clicks: the tab, the button, and Save.
    await page.getByRole('tab', { name: 'Hosts' }).click();
    await press(body, 'New host');
    const host = page.getByRole('dialog', { name: 'New host' });
    await host.getByLabel('Name').fill(hostile);
    await host.getByLabel('Base URL').fill('http://a.example');
    await press(host, 'Save');
    await wrong(host, 'Name', 'lower case');
    await host.getByLabel('Name').fill('vllm-a');
    await press(host, 'Save');
    await wrong(host, 'Base URL', 'must start with https');
    await host.getByLabel('Base URL').fill('http://10.0.0.5:8000/v1');
    await host.getByLabel('Signed with').selectOption('no');
    await host.getByLabel("Anthropic's Messages").check();
    await host.getByLabel('Other members').fill('{"choices": 4');
    await press(host, 'Save');
    await wrong(host, 'Other members', 'This is not JSON');
    await checkAccessibility();
    await checkWidth();
    await host.getByLabel('Other members').fill('{"choices": 4}');
    await press(host, 'Save');
    await page.getByRole('link', { name: 'vllm-a' }).click();
    const { data } = (await operator.call('GET', '/hosts')).body;
    expect(data[0].row).toEqual({
      ...{ name: 'vllm-a', baseUrl: 'http://10.0.0.5:8000/v1' },
      ...{ needsKey: false, servesMessages: true, choices: 4 },
    });
    await page.keyboard.press('Escape');

    await page.getByRole('tab', { name: 'Models' }).click();
    await press(body, 'New model');
    const model = page.getByRole('dialog', { name: 'New model' });
    await model.getByLabel('Id', { exact: true }).fill('chat');
    await model.getByLabel('Provider').fill(hostile);
    await model.getByLabel('Its id there').fill(hostile);
    await press(model, 'Save');
    await wrong(model, 'Id', 'an owner and a name');
    await model.getByLabel('Id', { exact: true }).fill('acme/chat');
    await press(model, 'Save');
    await wrong(model, 'Input', 'needs a price');
    await model.getByLabel(/^Input(optional)?$/).fill('2');
    await model.getByLabel(/^Output(optional)?$/).fill('0,5');
    await press(model, 'Save');
    await wrong(model, 'Output', 'price.output: not of type number');
    await model.getByLabel(/^Output(optional)?$/).fill('8');
    await press(model, 'Save');
    await wrong(model, 'Provider', 'unknown provider <img');
    await checkWidth();
    await model.getByLabel('Provider').fill('vllm-a');
    await press(model, 'Save');
    await saved();
    const path = '/models/acme/chat';
    const added = await rowOf(path);
    expect(added).toMatchObject({ price: { input: 2, output: 8 }, deployments: [{ upstreamId: hostile }] });

    await page.getByRole('searchbox', { name: 'Search models' }).fill('vllm');
    await page.getByRole('link', { name: 'acme/chat' }).click();
    const panel = page.getByRole('dialog', { name: 'acme/chat', exact: true });
    await press(panel, 'Edit');
    const edited = page.getByRole('dialog', { name: 'Model acme/chat' });
    await edited.getByLabel(/^Input(optional)?$/).fill('3');
    await operator.call('PUT', path, { body: { row: { ...added, status: 'deprecated' } } });
    await press(edited, 'Save');
    await edited.getByText('Others have changed this since you opened it').waitFor();
    expect((await rowOf(path)).laterPrices).toBeUndefined();
    await press(edited, 'Go on with these values');
    // What no field shows is kept without a question, however late it was changed.
    const laterPrices = [{ from: '2099-01-01', input: 9, output: 9 }];
    await operator.call('PUT', path, { body: { row: { ...added, status: 'deprecated', laterPrices } } });
    await press(edited, 'Save');
    await edited.getByText('was changed since you read it').waitFor();
    await settle(page);
    await press(edited, 'Save');
    await edited.waitFor({ state: 'detached' });
    const changed = { status: 'deprecated', laterPrices: [{ input: 3, output: 8 }, ...laterPrices] };
    expect(await rowOf(path)).toMatchObject({ price: { input: 2 }, ...changed });

    // A price of the deployment, and tiers of the model's, from one day.
    await press(panel, 'Edit');
    const deployment = edited.getByRole('group', { name: 'deployment 1' });
    await deployment.getByText('A price of its own').click();
    await deployment.getByLabel(/^Input(optional)?$/).fill('1.5');
    await deployment.getByLabel(/^Output(optional)?$/).fill('6');
    await edited.getByText('Other amounts, tiers and hours').last().click();
    const tiers = edited.getByLabel('Tiers, hours and other parts');
    await tiers.fill('{"tiers": [{"aboveInputTokens": 9, "input": 5}]}');
    await edited.getByLabel('Changed prices apply from').fill('2098-01-01');
    await press(edited, 'Save');
    await wrong(edited, 'Tiers, hours and other parts', 'output');
    await checkAccessibility();
    await checkWidth();
    await tiers.fill('{"tiers": [{"aboveInputTokens": 9, "input": 5, "output": 16}]}');
    await press(edited, 'Save');
    await edited.waitFor({ state: 'detached' });
    const [now] = changed.laterPrices;
    const tiered = { ...now, from: '2098-01-01', tiers: [{ aboveInputTokens: 9, input: 5, output: 16 }] };
    const ofDeployment = { from: '2098-01-01', input: 1.5, output: 6 };
    expect(await rowOf(path)).toMatchObject({
      laterPrices: [now, tiered, ...laterPrices],
      deployments: [{ price: { input: 2, output: 8 }, laterPrices: [now, ofDeployment, ...laterPrices] }],
    });
    await panel.getByText('<img src=x').waitFor();
    await settle(page);
    await checkAccessibility();
    await checkWidth();
    expect(await page.title()).not.toBe('1');
    await page.keyboard.press('Escape');

    await page.getByRole('tab', { name: 'Aliases' }).click();
    await press(body, 'New alias');
    const alias = page.getByRole('dialog', { name: 'New alias' });
    await alias.getByLabel('Name').fill('house');
    await alias.getByLabel('Model').fill('acme/chat');
    await press(alias, 'Add a target');
    const second = alias.getByRole('group', { name: 'target 2' });
    await second.getByLabel('Model').fill('openai/absent');
    await second.getByLabel('Weight').fill('3');
    await second.getByLabel('Only with tools').check();
    await page.keyboard.press('Enter');
    await wrong(second, 'Model', 'Model not found: openai/absent');
    await second.getByLabel('Model').fill('openai/gpt-5.5');
    await press(alias, 'Move up target 2');
    await checkAccessibility();
    await checkWidth();
    await press(alias, 'Save');
    await page.getByRole('link', { name: 'house' }).click();
    expect((await operator.call('GET', '/aliases')).body.data).toMatchObject([
      {
        targets: [
          { model: 'openai/gpt-5.5', weight: 3, when: { tools: true } },
          { model: 'acme/chat', weight: 1 },
        ],
      },
    ]);
    await press(page.getByRole('dialog', { name: 'house', exact: true }), 'Remove');
    await press(page.getByRole('dialog', { name: 'Remove house?' }), 'Remove');
    await page.getByText('No aliases').waitFor();
    expect((await operator.call('GET', '/aliases')).body.data).toEqual([]);
    await close();
  });

  test('the catalog is edited by operators alone', async () => {
    const { page, close } = await openWatched(browser());
    const ada = { id: 'ada', name: 'ada', role: 'tenant_admin', tenant: 'local' } as const;
    const [name = '', value = ''] = (await signInAs(gateway(), ada)).cookie.split('=', 2);
    await page.context().addCookies([{ name, value, url: gateway().url }]);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${gateway().url}/dashboard/catalog`);
    await page.getByRole('link', { name: 'Models' }).waitFor();
    await settle(page);
    expect(await page.getByRole('link', { name: 'Catalog' }).count()).toBe(0);
    expect(asked.filter((path) => /hosts|aliases|models/.test(path))).toEqual([]);
    await close();
  });
});
