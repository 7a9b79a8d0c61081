/** `GET /admin/v1/audit`: who changed what, newest first. The administrators of a tenant see its changes only. */
import type { AuditLog, AuditRecord } from '../../core/accounting/audit.ts';
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import { reachedTenant } from '../reach.ts';
import { endpointOf } from '../subject-endpoint.ts';
import {
  type AuditListAnswer,
  type AuditListQuery,
  type AuditRow,
  auditListQuery,
  defaultAuditPage,
} from './schema.ts';

interface ListParts {
  readonly audit: Pick<AuditLog, 'list'>;
}

export const listAuditEndpoint = (parts: ListParts) => endpointOf(parts, auditListQuery, nothing, listAudit);

async function listAudit(
  { audit }: ListParts,
  user: User,
  { limit = defaultAuditPage, tenant, before, ...filter }: AuditListQuery,
): Promise<AuditListAnswer> {
  const { records, next, searchedTo } = await audit.list({
    ...filter,
    limit,
    tenant: reachedTenant(user, tenant),
    before: before === undefined ? undefined : before * 1000,
  });
  const isOperator = user.role === 'operator';
  return {
    object: 'list',
    data: records.map((record) => rowOf(record, isOperator)),
    has_more: next !== undefined,
    next_after: next ?? null,
    searched_to: searchedTo === undefined ? null : Math.floor(searchedTo / 1000),
  };
}

/** What only operators may read of a tenant is not in the log for others either: what it is charged, and who gave it credit. */
const forOperators = new Set(['tenants.pricing', 'tenants.credit', 'tenants.adjust', 'tenants.close_month']);

function rowOf(
  { id, at, by, action, tenant, target, before, after }: AuditRecord,
  isOperator: boolean,
): AuditRow {
  const isShown = isOperator || !forOperators.has(action);
  return {
    object: 'audit_record',
    id,
    created_at: Math.floor(at / 1000),
    by,
    action,
    tenant: tenant ?? null,
    target,
    before: isShown ? (before ?? null) : null,
    after: isShown ? (after ?? null) : null,
  };
}
