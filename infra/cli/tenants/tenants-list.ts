/** `tenants list` and `tenants show`: tenants with their status, limits and permissions. */
import type { UserLimits } from '../../../lib/core/tenancy.ts';
import { settleCredit } from '../../../lib/metering/credit/settle-credit.ts';
import type { StoredTenant } from '../../../lib/stores/access/tenants.ts';
import { type Command, withInstallation } from '../command.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';
import type { Row } from '../output/rows.ts';
import { showDay, timeOf, writeOne } from '../output/show.ts';
import { found } from './holder.ts';
import { limitsRow } from './limit-options.ts';
import { tenancyRow } from './tenancy-options.ts';
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
    const all = await withInstallation(context, ({ tenants }) => tenants.list());
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
    const { tenant, money } = await withInstallation(context, async (installation) => {
      const { tenants, usage } = installation;
      const stored = found(await tenants.find(name), 'tenant', name, 'tenants');
      const settled = await settleCredit({ tenants, usage, now: Date.now }, stored);
      return { tenant: settled, money: await moneyOf(installation, settled) };
    });
    if (readFormat(context) === 'json') return writeOne(context, { ...rowOf(tenant), ...money });
    writeOne(context, rowOf(tenant));
    for (const rows of Object.values(money)) writeMoney(context.terminal, rows);
  },
};

const rowOf = ({ name, createdAt, suspendedAt, ...tenant }: StoredTenant): Row => ({
  tenant: name,
  status: suspendedAt === undefined ? 'active' : 'suspended',
  created_at: timeOf(createdAt),
  suspended_at: timeOf(suspendedAt),
  ...tenancyRow(tenant),
  ...userLimitsRow(tenant.userLimits),
  throughput: tenant.throughput ?? null,
  database_policy: tenant.onDatabaseFailure ?? null,
  alerts_at: tenant.alerts ?? null,
  webhook: tenant.webhook?.url ?? null,
});

/** Only the limits that are set: most tenants have none for their users. */
function userLimitsRow(userLimits: UserLimits | undefined): Row {
  const set = Object.entries(limitsRow(userLimits)).filter(([, value]) => value !== null);
  return Object.fromEntries(set.map(([field, value]) => [`user_${field}`, value]));
}
