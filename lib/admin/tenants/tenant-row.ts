/** A tenant as people see it: everything but the secret of its webhook; and what it is charged. */
import { formatDollars } from '../../core/accounting/money.ts';
import { markupPercent, type PricingTerms } from '../../core/accounting/pricing.ts';
import type { StoredTenant } from '../../stores/access/tenants.ts';
import { cacheRow } from '../cache-fields.ts';
import { dataPolicyRow } from '../data-policy-fields.ts';
import { etagOf } from '../etag.ts';
import { limitsRow } from '../limit-fields.ts';
import type { TenantRow, TermsAnswer } from './schema.ts';

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
    data_policy: dataPolicyRow(tenant.dataPolicy),
    cache: cacheRow(tenant.cache),
    alerts: {
      at: tenant.alerts ? [...tenant.alerts] : null,
      webhook_url: tenant.webhook?.url ?? null,
    },
    on_database_failure: tenant.onDatabaseFailure ?? null,
    throughput: tenant.throughput ?? null,
  };
}

/** What a tenant is charged from a time on. */
export const shownTerms = ({ from, markup, ownKeyFee = 0, models = {} }: PricingTerms): TermsAnswer => ({
  from,
  markup_percent: markupPercent(markup),
  own_key_fee_percent: markupPercent(ownKeyFee),
  fixed_prices: Object.entries(models).map(([model, { input, output }]) => ({
    model,
    input_usd: perMillion(input),
    output_usd: perMillion(output),
  })),
});

const perMillion = (nanoDollars: number) => formatDollars(Math.round(nanoDollars * 1_000_000));
