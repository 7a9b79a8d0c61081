/** `tenants list` and `tenants show`: tenants with their status, limits and permissions. */
import type { UserLimitsAnswer } from '../../lib/admin/tenancy-schema.ts';
import { listTenants, retrieveTenant } from '../../lib/admin/tenants/read-tenant.ts';
import { maxTenantPage, type TenantRow } from '../../lib/admin/tenants/schema.ts';
import { settleCredit } from '../../lib/metering/credit/settle-credit.ts';
import type { Command, Installation } from '../command.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';
import type { Row } from '../output/rows.ts';
import { showDay, timeOf, writeOne } from '../output/show.ts';
import { listAll, withSubjects } from '../subjects.ts';
import { moneyOf, writeMoney } from './tenant-money.ts';

const columns = [
  { name: 'tenant' },
  { name: 'status' },
  { name: 'created_at', show: showDay },
  { name: 'requests_per_minute' },
  { name: 'tokens_per_minute' },
  { name: 'concurrent_requests' },
  { name: 'monthly_budget_usd' },
  { name: 'credit_usd' },
];

export const tenantsList: Command = {
  name: 'tenants list',
  summary: 'List tenants with their limits',
  arguments: [],
  options: jsonOption,
  examples: ['tenants list', 'tenants list --json'],
  async run({ terminal, options, flags, ...context }) {
    const format = readFormat({ options, flags });
    const all = await withSubjects(context, (call) =>
      listAll((after) => call(listTenants, { limit: maxTenantPage, after })),
    );
    if (all.length === 0) terminal.writeError('No tenants found. Create one with: tenants create <tenant>');
    writeListing(terminal, { columns, rows: all.map(rowOf) }, format);
  },
};

export const tenantsShow: Command = {
  name: 'tenants show',
  summary: 'Show the status, limits, permissions, pricing and credit of a tenant',
  arguments: ['tenant'],
  options: jsonOption,
  examples: ['tenants show acme'],
  async run({ arguments: [name = ''], ...context }) {
    const tenant = await withSubjects(context, async (call, installation) => {
      if (!installation.remote) await settle(installation, name);
      return await call(retrieveTenant, { tenant: name });
    });
    const money = moneyOf(tenant);
    if (readFormat(context) === 'json') return writeOne(context, { ...rowOf(tenant), ...money });
    writeOne(context, rowOf(tenant));
    for (const rows of Object.values(money)) writeMoney(context.terminal, rows);
  },
};

/** Finds out how much of each grant was used until yesterday. */
async function settle({ tenants, usage }: Installation, name: string): Promise<void> {
  const stored = await tenants.find(name);
  if (stored) await settleCredit({ tenants, usage, now: Date.now }, stored);
}

const rowOf = (tenant: TenantRow): Row => ({
  tenant: tenant.id,
  status: tenant.status,
  created_at: timeOf(tenant.created_at),
  suspended_at: timeOf(tenant.suspended_at ?? undefined),
  ...tenant.limits,
  models: tenant.models,
  operations: tenant.operations,
  ...userLimitsRow(tenant.user_limits),
  throughput: tenant.throughput,
  database_policy: tenant.on_database_failure,
  alerts_at: tenant.alerts.at,
  webhook: tenant.alerts.webhook_url,
});

/** Only the limits that are set: most tenants have none for their users. */
function userLimitsRow(userLimits: UserLimitsAnswer): Row {
  const set = Object.entries(userLimits).filter(([, value]) => value !== null);
  return Object.fromEntries(set.map(([field, value]) => [`user_${field}`, value]));
}
