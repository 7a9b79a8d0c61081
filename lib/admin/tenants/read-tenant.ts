/** Lists of tenants, and one tenant with the use of its limits, its credit and what it is charged. */
import { leftOf } from '../../core/accounting/credit.ts';
import { formatDollars } from '../../core/accounting/money.ts';
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import type { StoredTenant } from '../../stores/access/tenants.ts';
import { limitedTenant, useOfTenant } from '../limit-use.ts';
import { hasText } from '../list-schema.ts';
import { spendOfOne, spendOfTenants } from '../month-spend.ts';
import { requireTenant, tenantNotFound } from '../reach.ts';
import { endpointOf, type SubjectParts } from '../subject-endpoint.ts';
import { subjectPage } from '../subject-list.ts';
import type { GrantAnswer } from './credit-schema.ts';
import {
  defaultTenantPage,
  type TenantAnswer,
  type TenantsListAnswer,
  type TenantsListQuery,
  tenantPath,
  tenantsListQuery,
} from './schema.ts';
import { shownTerms, tenantRow } from './tenant-row.ts';

type ListParts = Pick<SubjectParts, 'tenantEdits' | 'limits' | 'sums' | 'now'>;

/** `GET /admin/v1/tenants` */
export const listEndpoint = (parts: ListParts) => endpointOf(parts, tenantsListQuery, nothing, listTenants);

export async function listTenants(
  parts: ListParts,
  _user: User,
  { limit = defaultTenantPage, after, status, search, include, sort = 'name', order }: TenantsListQuery,
): Promise<TenantsListAnswer> {
  const all = await parts.tenantEdits.list();
  const isListed = ({ name, suspendedAt }: StoredTenant) =>
    hasText(search, [name]) &&
    (status === undefined || (suspendedAt !== undefined) === (status === 'suspended'));
  const query = { include, limit, after, sort, order: order ?? (sort === 'name' ? 'asc' : 'desc') } as const;
  const { page, ...rest } = await subjectPage(parts, all.filter(isListed), query, {
    idOf: ({ name }) => name,
    limitedOf: (tenant) => limitedTenant(tenant, parts.now()),
    values: { name: ({ name }) => name, created: ({ createdAt }) => createdAt },
    readSpend: () => spendOfTenants(parts),
  });
  return { object: 'list', data: page.map(({ item, money }) => ({ ...tenantRow(item), ...money })), ...rest };
}

type RetrieveParts = ListParts;

/** `GET /admin/v1/tenants/{tenant}` */
export const retrieveEndpoint = (parts: RetrieveParts) =>
  endpointOf(parts, tenantPath, nothing, retrieveTenant);

/** What is charged, and who gave credit, is for operators. */
export async function retrieveTenant(
  parts: RetrieveParts,
  user: User,
  { tenant: name }: { readonly tenant: string },
): Promise<TenantAnswer> {
  requireTenant(user, name);
  const tenant = await parts.tenantEdits.find(name);
  if (!tenant) throw tenantNotFound(name);
  const isOperator = user.role === 'operator';
  const [use, spend] = await Promise.all([
    useOfTenant(parts, tenant),
    spendOfOne(parts, { tenant: name }, isOperator),
  ]);
  return {
    ...tenantRow(tenant),
    spend,
    use: [...use],
    grants: isOperator ? [...(await grantsOf(parts, tenant))] : [],
    pricing: isOperator ? (tenant.pricing ?? []).map(shownTerms) : [],
  };
}

/** Reservations of running requests count as used. */
async function grantsOf(
  { limits, now }: RetrieveParts,
  { name, grants = [] }: StoredTenant,
): Promise<readonly GrantAnswer[]> {
  if (grants.length === 0) return [];
  const usedCredit = (await limits.read({ kind: 'tenant', id: name }))?.usedCredit ?? 0;
  const allocated = grants.reduce((sum, { used = 0 }) => sum + used, 0);
  const left = leftOf(grants, Math.max(0, usedCredit - allocated), now() / 1000);
  return grants.map(({ id, amount, at, expires, priority, note, by }) => ({
    id,
    amount_usd: formatDollars(amount),
    left_usd: formatDollars(left.get(id) ?? 0),
    priority,
    given_at: at,
    expires_at: expires ?? null,
    by,
    note: note ?? null,
  }));
}
