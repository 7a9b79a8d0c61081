/** Guardrails of a tenant in a real browser: added, corrected, edited and removed by an operator, and only read by others. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { createTenantStore } from '../../../lib/stores/access/tenants.ts';
import {
  type AdminClient,
  accessTable,
  signInAs,
  signInByAddress,
} from '../../harness/admin/admin-client.ts';
import { describeInBrowser, useBrowser } from '../../harness/browser/chromium.ts';
import { enter, settle } from '../../harness/browser/enter.ts';
import { openWatched } from '../../harness/browser/watched-page.ts';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';

const hostile = '</textarea><img src=x onerror="document.title=1"> \u202e"; drop';
const rule = { id: 'names', kind: 'words', words: [hostile], on: ['input', 'output'], action: 'block' };
const terms = (changes: object = {}) => JSON.stringify({ always: true, rules: [{ ...rule, ...changes }] });

describeInBrowser('guardrails of a tenant', () => {
  const { gateway } = useUpstreamGateway('OPENAI');
  const browser = useBrowser();
  let operator: AdminClient;
  beforeAll(async () => {
    for (const tenant of ['acme', 'beta']) await createTenantStore(accessTable()).create(tenant, {});
    operator = await signInByAddress(gateway);
  });

  const section = (page: Page) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: 'Guardrails' }) });
  const press = async (within: Locator, name: string) => await within.getByRole('button', { name }).click();

  test('are added, corrected, edited, shown to others and removed', async () => {
    const { page, close, allow, checkAccessibility, checkWidth } = await openWatched(browser());
    allow(/(400 \(Bad Request|409 \(Conflict)\)/);
    await enter(page, gateway.url, 'tenants?id=acme');
    await section(page).getByText('None: nothing looks at its requests.').waitFor();
    await press(section(page), 'Add a guardrail');
    const added = page.getByRole('dialog', { name: 'A guardrail' });
    await added.getByLabel('Id').fill(hostile);
    await added.getByLabel('Terms').fill(terms());
    await press(added, 'Save');
    await added.getByText('must have 1 to 40 lower-case letters').waitFor();
    await added.getByLabel('Id').fill('house');
    await added.getByLabel('Terms').fill(terms({ action: hostile }));
    await press(added, 'Save');
    await added.getByText('rules.0.action').waitFor();
    await checkAccessibility();
    const ours = { id: 'ours', kind: 'webhook', url: 'https://a.example/', on: ['input'], action: 'flag' };
    const both = JSON.parse(terms());
    await added.getByLabel('Terms').fill(JSON.stringify({ ...both, rules: [...both.rules, ours] }));
    await press(added, 'Save');
    const kept = page.getByRole('dialog', { name: 'The secret of the webhook' });
    await kept.getByText(/^whsec_/).waitFor();
    await checkAccessibility();
    await press(kept, 'I have saved it');
    expect(await page.content()).not.toContain('whsec_');
    await press(section(page), 'Add a guardrail');
    await added.getByLabel('Id').fill('house');
    await press(added, 'Save');
    await added.getByText('The guardrail house exists already.').waitFor();
    await press(added, 'Cancel');
    await section(page).getByText('names: block words on input and output').waitFor();
    await press(section(page), 'Edit');
    const edited = page.getByRole('dialog', { name: 'Guardrail house' });
    await edited.getByLabel('Text').fill(`Say ${hostile}`);
    await press(edited, 'Test');
    await edited.getByText('names blocked word “textarea').waitFor();
    await edited.getByLabel('As', { exact: true }).selectOption('output');
    const text = await edited.getByLabel('Terms').inputValue();
    await edited.getByLabel('Terms').fill(text.replace(/("input"),\s+"output"/, '$1'));
    await press(edited, 'Test');
    await edited.getByText('No rule looks at it.').waitFor();
    await edited.getByLabel('Terms').fill(text.replace('"block"', '"drop"'));
    await press(edited, 'Test');
    await edited.getByText('draft.rules.0.action').waitFor();
    await checkAccessibility();
    expect(JSON.parse(text).rules).toEqual([rule, ours]);
    await edited.getByLabel('Terms').fill(text.replace('"block"', '"flag"'));
    const path = '/tenants/acme/guardrails/house';
    await operator.call('PUT', path, { body: { ...both, rules: [...both.rules, ours], scan: 'all' } });
    await press(edited, 'Save');
    await edited.getByText('Others have changed this since you opened it').waitFor();
    expect((await operator.call('GET', path)).body.scan).toBe('all');
    await checkAccessibility();
    await press(edited, 'Go on with these values');
    await press(edited, 'Save');
    await section(page).getByText('names: flag words on input and output').waitFor();
    await settle(page);
    await checkAccessibility();
    await checkWidth();
    expect(await page.title()).not.toBe('1');

    const other = await openWatched(browser());
    const { cookie } = await signInAs(gateway, {
      id: 'ada',
      name: 'ada',
      role: 'tenant_admin',
      tenant: 'acme',
    });
    const [name = '', value = ''] = cookie.split('=', 2);
    await other.page.context().addCookies([{ name, value, url: gateway.url }]);
    await other.page.goto(`${gateway.url}/dashboard/tenants`);
    await section(other.page).getByText('names: flag words').waitFor();
    expect(await section(other.page).getByRole('button').count()).toBe(0);
    await other.close();

    await press(section(page), 'Remove');
    await page.getByRole('dialog', { name: 'Remove the guardrail house?' }).waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).last().click();
    await section(page).getByText('None: nothing looks at its requests.').waitFor();
    await close();
  });

  test('are chosen for a key that is made, and taken from it again', async () => {
    await operator.call('PUT', '/tenants/beta/guardrails/house', { body: { rules: [rule] } });
    const guarded = async () =>
      (await operator.call('GET', '/keys?tenant=beta')).body.data.map(
        ({ guardrails }: { guardrails: unknown }) => guardrails,
      );
    const { page, close, checkAccessibility } = await openWatched(browser());
    await enter(page, gateway.url, 'keys?tenant=beta');
    await page.getByRole('button', { name: 'New key' }).first().click();
    const made = page.getByRole('dialog', { name: 'New key' });
    await made.getByLabel('Name', { exact: false }).first().fill('Guarded');
    await made.getByRole('combobox', { name: 'Guardrails' }).fill('hou');
    await made.getByRole('option', { name: 'house' }).click();
    await made.getByRole('button', { name: 'Remove house' }).waitFor();
    await checkAccessibility();
    await press(made, 'Create key');
    await press(page.getByRole('dialog', { name: 'Your new key' }), 'I have saved it');
    expect(await guarded()).toEqual([['house']]);
    await page.getByRole('link', { name: 'Guarded' }).click();
    await press(page.getByRole('dialog', { name: 'Guarded' }), 'Change');
    const changed = page.getByRole('dialog', { name: 'Change the key' });
    await press(changed, 'Remove house');
    await press(changed, 'Save');
    await expect.poll(guarded).toEqual([null]);
    await close();
  });
});
