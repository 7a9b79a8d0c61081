/** The pages of the dashboard: each is loaded when it is first opened. */
import type { ComponentType } from 'preact';
import type { Role } from '../api/session.ts';
import type { IconName } from '../components/icon.tsx';

/** What the bar above a page offers. */
export type Control = 'range' | 'group' | 'filters';

export interface PageRow {
  /** As in the URL. */
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  /** Who sees it. */
  readonly roles: readonly Role[];
  readonly controls: readonly Control[];
  readonly load: () => Promise<{ readonly Page: ComponentType }>;
}

const everyone: readonly Role[] = ['operator', 'tenant_admin', 'member', 'viewer'];
const admins: readonly Role[] = ['operator', 'tenant_admin'];

export const pages: readonly PageRow[] = [
  {
    name: 'overview',
    title: 'Overview',
    icon: 'chart',
    roles: everyone,
    controls: ['range', 'group', 'filters'],
    load: () => import('./overview/page.tsx'),
  },
  {
    name: 'requests',
    title: 'Requests',
    icon: 'list',
    roles: everyone,
    controls: ['range', 'filters'],
    load: () => import('./requests/page.tsx'),
  },
  {
    name: 'keys',
    title: 'Keys',
    icon: 'key',
    roles: everyone,
    controls: [],
    load: () => import('./keys/page.tsx'),
  },
  {
    name: 'playground',
    title: 'Playground',
    icon: 'play',
    roles: ['operator', 'tenant_admin', 'member'],
    controls: [],
    load: () => import('./playground/page.tsx'),
  },
  {
    name: 'models',
    title: 'Models',
    icon: 'cube',
    roles: everyone,
    controls: [],
    load: () => import('./models/page.tsx'),
  },
  {
    name: 'tenants',
    title: 'Tenants',
    icon: 'people',
    roles: admins,
    controls: [],
    load: () => import('./tenants/page.tsx'),
  },
  {
    name: 'providers',
    title: 'Providers',
    icon: 'plug',
    roles: ['operator'],
    controls: [],
    load: () => import('./providers/page.tsx'),
  },
  {
    name: 'audit',
    title: 'Audit',
    icon: 'audit',
    roles: admins,
    controls: [],
    load: () => import('./audit/page.tsx'),
  },
];

/** The pages of a role. */
export const pagesOf = (role: Role): readonly PageRow[] => pages.filter(({ roles }) => roles.includes(role));
