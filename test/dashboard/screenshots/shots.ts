/** What is photographed: each page, and what opens over it. */
import type { Page } from 'playwright-core';
import { settle } from '../../harness/browser/enter.ts';

export interface Shot {
  readonly name: string;
  /** Below `/dashboard/`. */
  readonly path: string;
  /** What a person would click first. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const first = (page: Page) => page.getByRole('row').nth(1);

export const shots: readonly Shot[] = [
  { name: 'overview', path: 'overview?range=30d' },
  { name: 'overview-by-tenant', path: 'overview?range=30d&by=tenant' },
  { name: 'requests', path: 'requests?range=7d' },
  {
    name: 'requests-one',
    path: 'requests?range=7d',
    prepare: async (page) => {
      await first(page).getByRole('link').first().click();
      await settle(page);
    },
  },
  { name: 'keys', path: 'keys' },
  { name: 'playground', path: 'playground' },
  { name: 'models', path: 'models' },
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
  { name: 'audit', path: 'audit' },
  {
    name: 'audit-one',
    path: 'audit',
    prepare: async (page) => await first(page).getByRole('link').first().click(),
  },
];
