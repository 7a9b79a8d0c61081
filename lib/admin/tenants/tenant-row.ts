/** A tenant as people see it: everything but the secret of its webhook. */
import type { StoredTenant } from '../../stores/access/tenants.ts';
import { etagOf } from '../etag.ts';
import { limitsRow } from '../limit-fields.ts';
import type { TenantRow } from './schema.ts';

export function tenantRow(tenant: StoredTenant): TenantRow {
  const { name, createdAt } = tenant;
  const settings = settingsOf(tenant);
  const { suspended_at: suspendedAt } = settings;
  return {
    object: 'tenant',
    id: name,
    status: suspendedAt === null ? 'active' : 'suspended',
    created_at: createdAt,
    ...settings,
    // A new secret of the webhook and other terms are changes, too.
    etag: etagOf({ name, ...settings, webhook: tenant.webhook, pricing: tenant.pricingVersion }),
  };
}

/** What people decide: the part of a tenant that the audit log has. */
export function settingsOf(tenant: StoredTenant) {
  const { credit_usd: _, ...userLimits } = limitsRow(tenant.userLimits);
  return {
    suspended_at: tenant.suspendedAt ?? null,
    limits: limitsRow(tenant.limits),
    user_limits: userLimits,
    models: tenant.models ? [...tenant.models] : null,
    operations: tenant.operations ? [...tenant.operations] : null,
    alerts: {
      at: tenant.alerts ? [...tenant.alerts] : null,
      webhook_url: tenant.webhook?.url ?? null,
    },
    on_database_failure: tenant.onDatabaseFailure ?? null,
    throughput: tenant.throughput ?? null,
  };
}
