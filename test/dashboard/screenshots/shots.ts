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

const first = (page: Page) => page.getByRole('row').nth(1);

export const shots: readonly Shot[] = [
  { name: 'overview', path: 'overview?range=30d' },
  { name: 'overview-by-tenant', path: 'overview?range=30d&by=tenant' },
  { name: 'requests', path: 'requests?range=7d' },
  {
    name: 'requests-one',
    path: 'requests?range=7d&tenant=acme-robotics&model=anthropic/claude-opus-5-5',
    prepare: async (page) => {
      await first(page).getByRole('link').first().click();
      await settle(page);
    },
  },
  { name: 'keys', path: 'keys' },
  {
    name: 'keys-one',
    path: 'keys?tenant=acme-robotics',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Coding agents' }).click();
      await settle(page);
    },
  },
  {
    name: 'keys-rotate',
    path: 'keys?tenant=acme-robotics',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Coding agents' }).click();
      await page.getByRole('button', { name: 'Rotate' }).click();
    },
  },
  {
    name: 'keys-made',
    path: 'keys?tenant=orchard-labs',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'New key' }).first().click();
      await page.getByLabel('Name').fill('Night shift');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
    },
  },
  {
    name: 'playground',
    path: 'playground',
    prepare: async (page) => {
      await page.getByLabel('Prompt').fill('Which welding defects does a camera find?');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('button', { name: 'Send' }).waitFor();
      await settle(page);
    },
  },
  { name: 'models', path: 'models' },
  {
    name: 'models-one',
    path: 'models?search=opus',
    prepare: async (page) => await first(page).getByRole('link').first().click(),
  },
  { name: 'tenants', path: 'tenants' },
  { name: 'tenants-one', path: 'tenants?id=acme-robotics' },
  {
    name: 'tenants-change',
    path: 'tenants?id=acme-robotics',
    prepare: async (page) => await page.getByRole('button', { name: 'Change', exact: true }).click(),
  },
  {
    name: 'tenants-credit',
    path: 'tenants?id=acme-robotics',
    prepare: async (page) => await page.getByRole('button', { name: 'Give credit' }).click(),
  },
  { name: 'providers', path: 'providers' },
  {
    name: 'providers-one',
    path: 'providers',
    prepare: async (page) => await page.getByRole('link', { name: 'Anthropic' }).click(),
  },
  { name: 'audit', path: 'audit' },
  {
    name: 'audit-one',
    path: 'audit',
    prepare: async (page) => await first(page).getByRole('link').first().click(),
  },
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
