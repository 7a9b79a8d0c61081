/** What is photographed: each page, and what opens over it. */
import type { Page } from 'playwright-core';
import { settle } from '../../harness/browser/enter.ts';

export interface Shot {
  readonly name: string;
  /** Below `/dashboard/`. */
  readonly path: string;
  /** What a user would click first. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const first = (page: Page) => page.getByRole('row').nth(1).getByRole('link').first().click();

const click =
  (...steps: readonly (readonly ['link' | 'button', string])[]) =>
  async (page: Page) => {
    for (const [role, name] of steps) await page.getByRole(role, { name, exact: true }).first().click();
    await settle(page);
  };

export const shots: readonly Shot[] = [
  { name: 'overview', path: 'overview?range=30d' },
  {
    name: 'palette',
    path: 'overview',
    prepare: async (page) => {
      await page.getByRole('button', { name: /^Go to/ }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Page, key/ }).fill('acme');
      await page.getByRole('option', { name: 'acme-robotics', exact: true }).waitFor();
    },
  },
  { name: 'overview-by-tenant', path: 'overview?range=30d&by=tenant' },
  { name: 'requests', path: 'requests?range=7d' },
  {
    name: 'requests-one',
    path: 'requests?range=7d&tenant=acme-robotics&model=anthropic/claude-opus-5-5',
    prepare: async (page) => {
      await first(page);
      await settle(page);
    },
  },
  { name: 'keys', path: 'keys' },
  { name: 'keys-one', path: 'keys?tenant=acme-robotics', prepare: click(['link', 'Coding agents']) },
  {
    name: 'keys-rotate',
    path: 'keys?tenant=acme-robotics',
    prepare: click(['link', 'Coding agents'], ['button', 'Rotate']),
  },
  {
    name: 'keys-made',
    path: 'keys?tenant=orchard-labs',
    prepare: async (page) => {
      await click(['button', 'New key'])(page);
      await page.getByLabel('Name').fill('Night shift');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
    },
  },
  {
    name: 'playground',
    path: 'playground?tenant=acme-robotics',
    prepare: async (page) => {
      await page.getByLabel('Prompt').fill('Which welding defects does a camera find?');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('button', { name: 'Send' }).waitFor();
      await settle(page);
    },
  },
  { name: 'models', path: 'models' },
  { name: 'models-one', path: 'models?search=opus', prepare: first },
  { name: 'tenants', path: 'tenants' },
  { name: 'tenants-one', path: 'tenants?id=acme-robotics' },
  { name: 'tenants-change', path: 'tenants?id=acme-robotics', prepare: click(['button', 'Change']) },
  { name: 'tenants-credit', path: 'tenants?id=acme-robotics', prepare: click(['button', 'Give credit']) },
  { name: 'providers', path: 'providers' },
  { name: 'providers-one', path: 'providers', prepare: click(['link', 'Anthropic']) },
  { name: 'alerts', path: 'alerts' },
  { name: 'catalog', path: 'catalog' },
  { name: 'catalog-edit', path: 'catalog?id=openai/gpt-5.5', prepare: click(['button', 'Edit']) },
  { name: 'audit', path: 'audit' },
  { name: 'audit-one', path: 'audit', prepare: first },
];

/** Before anything was asked. */
export const freshShots: readonly Shot[] = ['overview', 'requests', 'keys', 'tenants', 'audit'].map(
  (path) => ({
    name: `fresh-${path}`,
    path,
  }),
);

/** What the API does not answer. */
export const failedShots: readonly Shot[] = ['overview', 'keys'].map((path) => ({
  name: `failed-${path}`,
  path,
  prepare: async (page) => {
    const failure = {
      error: { message: 'The database does not answer.', type: 'api_error', code: 'internal_error' },
    };
    await page.route(`**/admin/v1/${path}?**`, (route) => route.fulfill({ status: 500, json: failure }));
    await page.route(`**/admin/v1/${path}`, (route) => route.fulfill({ status: 500, json: failure }));
    await page.reload();
    await page.getByRole('alert').waitFor();
  },
}));
