/** Makes tenants, and changes them. Each change has one record in the audit log. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { invalid } from '../../core/errors/invalid.ts';
import { newSecret } from '../../core/webhooks/sign.ts';
import type { TenantEdit } from '../../stores/access/tenant-edits.ts';
import type { StoredTenant } from '../../stores/access/tenants.ts';
import { recordChange } from '../audit/record-change.ts';
import { requireMatch } from '../etag.ts';
import { limitsAfter, readLimits, requireCountable, tenancyOf } from '../limit-fields.ts';
import { requireProviders } from '../policy-providers.ts';
import { tenantNotFound } from '../reach.ts';
import { seedTenantBudgets } from '../seed-budgets.ts';
import { endpointOf, type SubjectParts } from '../subject-endpoint.ts';
import {
  maxThresholds,
  type TenantRow,
  type TenantsChangeAnswer,
  type TenantsChangeInput,
  type TenantsCreateInput,
  tenantPath,
  tenantsChangeInput,
  tenantsCreateInput,
} from './schema.ts';
import { settingsOf, tenantRow } from './tenant-row.ts';

interface OfTenant {
  readonly tenant: string;
}

export async function createTenant(
  parts: SubjectParts,
  user: User,
  { tenant: name, ...input }: TenantsCreateInput,
): Promise<TenantRow> {
  const { limits = {}, models, operations, dataPolicy, cache } = tenancyOf(input);
  requireCountable({}, limits);
  await requireProviders(parts.hosts, { dataPolicy: dataPolicy ?? null });
  const tenancy = {
    limits: limitsAfter({}, limits),
    ...(models && { models }),
    ...(operations && { operations }),
    ...(dataPolicy && { dataPolicy }),
    ...(cache && { cache }),
  };
  if (!(await parts.tenants.create(name, tenancy))) {
    throw new GatewayError('conflict', `Tenant already exists: ${name}.`, { param: 'tenant' });
  }
  const created = await parts.tenantEdits.find(name);
  if (!created) throw tenantNotFound(name);
  await recordChange(parts, user, 'tenants.create', {
    tenant: name,
    target: name,
    after: { tenant: name, ...settingsOf(created) },
  });
  return tenantRow(created);
}

export async function changeTenant(
  parts: SubjectParts,
  user: User,
  { tenant: name, ...input }: TenantsChangeInput & OfTenant,
  ifMatch?: string,
): Promise<TenantsChangeAnswer> {
  const found = await parts.tenantEdits.find(name);
  if (!found) throw tenantNotFound(name);
  const { change, secret } = await readChange(parts, input);
  requireMatch(ifMatch, tenantRow(found).etag, `Tenant ${name}`);
  requireCountable(found.limits, change.limits);
  await requireProviders(parts.hosts, change);
  await seedTenantBudgets(parts, found, change.limits ?? {});
  const edited = await parts.tenantEdits.edit(name, (tenant) => {
    requireMatch(ifMatch, tenantRow(tenant).etag, `Tenant ${name}`);
    requireHigher(tenant, change.throughput);
    return input.purge_cache ? { ...change, cacheEpoch: (tenant.cacheEpoch ?? 0) + 1 } : change;
  });
  if (!edited) throw tenantNotFound(name);
  const { before, after } = edited;
  await recordChange(parts, user, 'tenants.change', {
    tenant: name,
    target: name,
    before: audited(before, after, 'old'),
    after: audited(after, before, 'new'),
  });
  return { ...tenantRow(after), ...(secret !== undefined && { webhook_secret: secret }) };
}

/** A webhook that got a new secret is a change, of which neither secret is shown. */
const audited = (tenant: StoredTenant, other: StoredTenant, age: 'old' | 'new') => ({
  ...settingsOf(tenant),
  ...(tenant.cacheEpoch !== other.cacheEpoch && { cache_purges: tenant.cacheEpoch ?? 0 }),
  ...(tenant.webhook?.secret !== other.webhook?.secret && {
    webhook_secret: tenant.webhook ? `${age}, not shown` : null,
  }),
});

interface Read {
  readonly change: TenantEdit;
  /** Of a webhook that is set. */
  readonly secret?: string;
}

async function readChange(parts: SubjectParts, input: TenantsChangeInput): Promise<Read> {
  const { user_limits: userLimits, alerts, on_database_failure: policy, throughput, suspended } = input;
  const { at, webhook_url: url } = alerts ?? {};
  const webhook = typeof url === 'string' ? await newWebhook(parts, url) : url;
  const change = {
    ...tenancyOf(input),
    ...(userLimits && { userLimits: readLimits(userLimits) }),
    ...(at !== undefined && { alerts: at && thresholds(at) }),
    ...(webhook !== undefined && { webhook }),
    ...(policy !== undefined && { onDatabaseFailure: policy }),
    ...(throughput !== undefined && { throughput }),
    ...(suspended !== undefined && { suspended }),
  };
  return { change, ...(webhook && { secret: webhook.secret }) };
}

const thresholds = (percents: readonly number[]): readonly number[] =>
  [...new Set(percents)].toSorted((one, other) => one - other).slice(0, maxThresholds);

async function newWebhook({ webhookProblem }: SubjectParts, text: string) {
  const problem = await webhookProblem(text);
  if (problem !== undefined) throw invalid('alerts.webhook_url', problem);
  return { url: new URL(text).href, secret: newSecret() };
}

function requireHigher({ throughput: current }: StoredTenant, asked: number | undefined): void {
  if (asked === undefined || current === undefined || asked >= current) return;
  throw invalid(
    'throughput',
    `must be at least ${current}, which the tenant is prepared for: it cannot be lowered`,
  );
}

/** `POST /admin/v1/tenants` */
export const createEndpoint = (parts: SubjectParts) =>
  endpointOf(parts, nothing, tenantsCreateInput, createTenant);

/** `PATCH /admin/v1/tenants/{tenant}` */
export const changeEndpoint = (parts: SubjectParts) =>
  endpointOf(parts, tenantPath, tenantsChangeInput, changeTenant);
