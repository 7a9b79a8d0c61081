/** The pages of the dashboard: each is loaded when it is first opened. */
import type { ComponentType } from 'preact';
import type { PageProps, Role } from '../api/session.ts';
import type { IconName } from '../components/icon.tsx';
import type { FilterName } from '../state/query.ts';

/** What the bar above a page offers. */
export type Control = 'range' | 'group';

export interface PageRow {
  /** As in the URL. */
  readonly name: string;
  readonly title: string;
  /** Further words by which the palette finds it. */
  readonly words?: string;
  readonly icon: IconName;
  /** Who sees it. */
  readonly roles: readonly Role[];
  readonly controls: readonly Control[];
  /** What it can be filtered by; tenants, for operators alone. */
  readonly filters: readonly FilterName[];
  readonly load: () => Promise<{ readonly Page: ComponentType<PageProps> }>;
}

const everyone: readonly Role[] = ['operator', 'tenant_admin', 'member', 'viewer'];
const commonFilters: readonly FilterName[] = ['tenant', 'model', 'key', 'user'];

const admins: readonly Role[] = ['operator', 'tenant_admin'];

/** Most pages have no controls, and some nothing to be filtered by. */
type WrittenRow = Omit<PageRow, 'controls' | 'filters'> & Partial<PageRow>;

const rows: readonly WrittenRow[] = [
  {
    name: 'overview',
    title: 'Overview',
    icon: 'chart',
    roles: everyone,
    controls: ['range', 'group'],
    filters: commonFilters,
    load: () => import('./overview/page.tsx'),
  },
  {
    name: 'requests',
    title: 'Requests',
    icon: 'list',
    roles: everyone,
    controls: ['range'],
    filters: [
      ...commonFilters,
      'provider',
      'http_status',
      'error',
      'min_cost',
      'min_duration_ms',
      'operation',
      'session',
      'batch',
      'tag',
    ],
    load: () => import('./requests/page.tsx'),
  },
  {
    name: 'batches',
    title: 'Batches',
    icon: 'stack',
    roles: everyone,
    filters: ['tenant', 'key'],
    load: () => import('./batches/page.tsx'),
  },
  {
    name: 'keys',
    title: 'Keys',
    icon: 'key',
    roles: everyone,
    filters: ['tenant', 'search'],
    load: () => import('./keys/page.tsx'),
  },
  {
    name: 'playground',
    title: 'Playground',
    icon: 'play',
    roles: ['operator', 'tenant_admin', 'member'],
    load: () => import('./playground/page.tsx'),
  },
  {
    name: 'models',
    title: 'Models',
    icon: 'cube',
    roles: everyone,
    load: () => import('./models/page.tsx'),
  },
  {
    name: 'tenants',
    title: 'Tenants',
    icon: 'people',
    roles: admins,
    filters: ['search'],
    load: () => import('./tenants/page.tsx'),
  },
  {
    name: 'providers',
    title: 'Providers',
    icon: 'plug',
    roles: ['operator'],
    load: () => import('./providers/page.tsx'),
  },
  {
    name: 'alerts',
    title: 'Alerts',
    icon: 'warning',
    roles: admins,
    filters: ['tenant'],
    load: () => import('./alerts/page.tsx'),
  },
  {
    name: 'catalog',
    title: 'Catalog',
    words: 'hosts models aliases prices',
    icon: 'book',
    roles: ['operator'],
    load: () => import('./catalog/page.tsx'),
  },
  {
    name: 'audit',
    title: 'Audit',
    icon: 'audit',
    roles: admins,
    filters: ['tenant'],
    load: () => import('./audit/page.tsx'),
  },
];

export const pages: readonly PageRow[] = rows.map((row) => ({ controls: [], filters: [], ...row }));

/** The pages of a role. Who administers one tenant sees it, and no list. */
export const pagesOf = (role: Role): readonly PageRow[] =>
  pages
    .filter(({ roles }) => roles.includes(role))
    .map((page) => (page.name === 'tenants' && role !== 'operator' ? { ...page, title: 'Tenant' } : page));
