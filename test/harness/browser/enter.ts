/** Ways into the dashboard, in a browser. */
import type { Page } from 'playwright-core';
import { sessionStore } from '../admin/admin-client.ts';
import type { SignInGateway } from '../cognito/sign-in.ts';

/** By a one-time address, as an operator, and to an address below `/dashboard/`. */
export async function enter(page: Page, url: string, path = ''): Promise<void> {
  const ticket = await sessionStore().makeTicket('ada');
  await page.goto(`${url}/dashboard/start?token=${ticket}`);
  if (path !== '') await page.goto(`${url}/dashboard/${path}`);
  await settle(page);
}

/** At the issuer, with the code that it mails. */
export async function enterByIssuer(
  page: Page,
  { gateway, cognito }: SignInGateway,
  email: string,
): Promise<void> {
  await page.goto(`${gateway.url}/dashboard/`);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Code').fill(cognito.pool.mailedCodes.get(email) ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await settle(page);
}

/** By the navigation. */
export async function follow(page: Page, title: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: title }).click();
}

/** The page shows all that it reads: it has its title, nothing runs, nothing stands for what follows, and that is so for a moment. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  const atRest = page.locator(
    'body:has(h1:not(:empty)):has([data-busy=false]):not(:has([aria-busy=true], .skeleton))',
  );
  do {
    await atRest.waitFor({ state: 'attached', timeout: 60_000 });
    await page.waitForTimeout(100);
  } while ((await atRest.count()) === 0);
}
