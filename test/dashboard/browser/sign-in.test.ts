/** The ways into the dashboard and out of it, in a real browser. What each role sees: scale.test.ts; what is refused to it: test/admin/access.test.ts. */
import { expect, test } from 'vitest';
import { newApiKey } from '../../../lib/core/names/api-key.ts';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { accessTable, sessionStore } from '../../harness/admin/admin-client.ts';
import { describeInBrowser, useBrowser } from '../../harness/browser/chromium.ts';
import { enter, enterByIssuer, follow, settle } from '../../harness/browser/enter.ts';
import { openWatched, sizes } from '../../harness/browser/watched-page.ts';
import { useSignInGateway } from '../../harness/cognito/sign-in.ts';

describeInBrowser('sign-in to the dashboard', () => {
  const both = useSignInGateway();
  const browser = useBrowser();
  const url = () => both().gateway.url;
  /** Where there is an issuer, the page asks for the session of an earlier sign-in. */
  const noSession = /401 \(Unauthorized\) \(http:\/\/[^)]*\/admin\/v1\/session\)/;
  const open = async () => {
    const watched = await openWatched(browser());
    watched.allow(noSession, /favicon/);
    return watched;
  };

  test('a one-time address leads in, leaves no trace of its token, and works once', async () => {
    const { page, close } = await open();
    const ticket = await sessionStore().makeTicket('ada');
    await page.goto(`${url()}/dashboard/start?token=${ticket}`);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await settle(page);
    expect(page.url()).not.toContain(ticket);
    expect(await page.getByText('Operator').isVisible()).toBe(true);
    await page.reload();
    await page.getByText('Operator').waitFor();
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    await page.goto(`${url()}/dashboard/start?token=${ticket}`);
    await page.getByText('This address was used before').waitFor();
    await close();
  });

  test('an API key shows what its tenant has used, and is in no place of the page', async () => {
    const { page, close, checkAccessibility } = await open();
    const { secret } = await createKeyStore(accessTable()).create({ tenant: 'harbor' });
    await page.goto(`${url()}/dashboard/keys`);
    await checkAccessibility();
    await page.getByLabel('API key').fill(newApiKey());
    await page.getByRole('button', { name: 'Look at its usage' }).click();
    await page.getByRole('alert').getByText('Invalid API key').waitFor();
    await page.getByLabel('API key').fill(secret);
    await page.getByRole('button', { name: 'Look at its usage' }).click();
    await page.getByText('Viewer · harbor').waitFor();
    await settle(page);
    expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0);
    const traces: string[] = [page.url(), await page.content(), await page.evaluate(stored)];
    for (const trace of traces) expect(trace).not.toContain(secret.slice(4));
    await close();
  });

  test('at an issuer, with a code by mail; the token is in the memory of the page alone', async () => {
    both().cognito.pool.add('grace@acme.example', { groups: ['tenant-admin'], tenant: 'acme' });
    const { page, close } = await open();
    await enterByIssuer(page, both(), 'grace@acme.example');
    await page.getByText('Tenant admin · acme').waitFor();
    expect(await page.evaluate(stored)).not.toMatch(/eyJ/);
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.reload();
    await page.getByText('Tenant admin · acme').waitFor();
    await settle(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await close();
  });

  test('a session that has ended says so, and the same page opens after the next sign-in', async () => {
    const { page, close, allow } = await open();
    await enter(page, url(), 'overview');
    // A read that ended later would show the sign-in at once.
    await page.waitForLoadState('networkidle');
    await page.context().clearCookies();
    allow(/401 \(Unauthorized\)/);
    await follow(page, 'Keys');
    await page.getByText('The session has ended').waitFor();
    expect(page.url()).toBe(`${url()}/dashboard/keys`);
    await close();
  });

  test('fits a phone', async () => {
    const { page, allow, close, checkAccessibility, checkWidth } = await openWatched(browser(), {
      viewport: sizes.phone,
      colorScheme: 'dark',
    });
    allow(noSession);
    await page.goto(`${url()}/dashboard/`);
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await checkWidth();
    await checkAccessibility();
    await close();
  });
});

/** All that pages may keep. */
const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, name])';
