/** Where a group leads: to its own view, split by what is of interest next, or to its requests. */
import type { OverviewGroup } from '../../../lib/admin/usage/schema.ts';
import type { Changes, Filters, GroupName } from '../../state/query.ts';

/** By what a view of one group is split. */
const next: Readonly<Record<OverviewGroup, GroupName>> = {
  provider: 'model',
  tenant: 'model',
  model: 'key',
  key: 'model',
  user: 'model',
};

/** Groups that are counted within one tenant only. */
const ofOneTenant: readonly GroupName[] = ['key', 'user'];

/**
 * What the overview is split by. The keys and users of all tenants together are not counted: an operator without a tenant gets the
 * tenants. Anybody else has one tenant only, which needs no split.
 */
export function groupFor(wanted: GroupName, filters: Filters, isOperator: boolean): GroupName {
  if (!isOperator) return wanted === 'tenant' ? 'model' : wanted;
  return filters.tenant === undefined && ofOneTenant.includes(wanted) ? 'tenant' : wanted;
}

/** A page, or the open one, with a filter. */
interface Narrower {
  readonly to?: string;
  readonly with: Changes;
}

/** Undefined for requests that gave none: no filter finds them. */
export function narrow(
  id: string | null,
  {
    by,
    wanted,
    filters,
  }: { readonly by: OverviewGroup; readonly wanted: GroupName; readonly filters: Filters },
): Narrower | undefined {
  if (id === null) return undefined;
  if (filters[by] === id) return { to: 'requests', with: { [by]: id } };
  // A tenant that stands for its keys or users leads to these.
  return { with: { [by]: id, by: by === wanted ? next[by] : wanted } };
}

/** What requests without an id in a group are called. */
export const noneNames: Readonly<Record<OverviewGroup, string>> = {
  model: 'no model',
  key: 'no key',
  tenant: 'no tenant',
  user: 'no user given',
  provider: 'no provider',
};

export const titles: Readonly<Record<OverviewGroup, string>> = {
  model: 'Model',
  key: 'Key',
  tenant: 'Tenant',
  user: 'User',
  provider: 'Provider',
};
