/** Members on the page of tenants, and a user without a role, in a real browser with a user pool. */
import { beforeAll, expect, test } from 'vitest';
import { useAccess } from '../../harness/access.ts';
import { describeInBrowser, useBrowser } from '../../harness/browser/chromium.ts';
import { enterByIssuer, settle } from '../../harness/browser/enter.ts';
import { openWatched } from '../../harness/browser/watched-page.ts';
import { useMembersGateway } from '../../harness/cognito/members-gateway.ts';

describeInBrowser('members of the dashboard', () => {
  const { both } = useMembersGateway();
  const access = useAccess();
  const browser = useBrowser();
  beforeAll(async () => {
    await access.tenants().create('acme');
  });
  const open = async () => {
    const watched = await openWatched(browser());
    watched.allow(/401 \(Unauthorized\)/, /favicon/);
    return watched;
  };

  test('an operator invites a user and removes it again', async () => {
    const { pool } = both().cognito;
    pool.add('ada@example.com', { groups: ['operator'] });
    const { page, close, checkAccessibility, allow } = await open();
    // The tenant that does not exist.
    allow(/404 \(Not Found\) \(http:\/\/[^)]*\/admin\/v1\/members\)/);
    await enterByIssuer(page, both(), 'ada@example.com');
    await page.goto(`${both().gateway.url}/dashboard/tenants`);
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await page.getByText('ada@example.com').first().waitFor();
    await page.getByRole('button', { name: 'Invite a user' }).click();
    await page.getByLabel('Email address').fill('bob@acme.example');
    await page.getByLabel('Role').selectOption('tenant_admin');
    await page.getByLabel('Tenant', { exact: true }).fill('nowhere');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('Tenant not found: nowhere.').waitFor();
    await page.getByLabel('Tenant', { exact: true }).fill('acme');
    await checkAccessibility();
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.locator('.toast', { hasText: 'bob@acme.example is invited.' }).waitFor();
    expect(pool.outbox.at(-1)).toMatchObject({ to: 'bob@acme.example', kind: 'invitation' });
    await settle(page);
    await checkAccessibility();
    await page.getByRole('button', { name: 'Remove bob@acme.example' }).click();
    await page.getByRole('button', { name: 'Remove now' }).click();
    await page.locator('.toast', { hasText: 'bob@acme.example is removed.' }).waitFor();
    expect(pool.find('bob@acme.example')).toBeUndefined();
    await close();
  });

  test('a user without a role reads why, and the address forgets it', async () => {
    both().cognito.pool.add('new@example.com');
    const { page, close, checkAccessibility } = await open();
    await page.goto(`${both().gateway.url}/dashboard/overview`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email address').fill('new@example.com');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('Code').fill(both().cognito.pool.mailedCodes.get('new@example.com') ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You have signed in, but have no role here.').waitFor();
    expect(page.url()).not.toContain('sign_in_problem');
    await checkAccessibility();
    await close();
  });
});
