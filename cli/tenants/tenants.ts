/** `tenants create`, `tenants list` and `tenants show`. */
import type { UserLimitsAnswer } from '../../lib/admin/tenancy-schema.ts';
import type { TenantAnswer, TenantRow } from '../../lib/admin/tenants/schema.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { settleCredit } from '../../lib/metering/credit/settle-credit.ts';
import { allTenants, asUsageError, callAdmin, withAdmin } from '../call-admin.ts';
import { type Command, type Installation, withInstallation } from '../command.ts';
import { jsonOption, type Row, showDay, timeOf, writeListing, writeOne } from '../listing.ts';
import { moneyColumns, moneyRow } from '../money-row.ts';
import { describeCache } from './cache.ts';
import { describeDataPolicy } from './data-policy.ts';
import {
  describeLimits,
  limitOptions,
  limitsTypedAs,
  permissionOptions,
  readTenancy,
} from './limit-options.ts';

const tenantsCreate: Command = {
  name: 'tenants create',
  summary: 'Create a tenant',
  description: 'The limits apply to all keys of the tenant together.',
  arguments: ['tenant'],
  options: { ...limitOptions, ...permissionOptions, ...jsonOption },
  examples: ['tenants create acme', "tenants create acme --budget 50 --requests 100 --models 'openai/*'"],
  async run({ arguments: [tenant = ''], options, terminal, format, ...context }) {
    const typedAs = { ...limitsTypedAs, tenant: '<tenant>' };
    const input = { tenant, ...readTenancy(options) };
    const made = await callAdmin({ ...context, typedAs }, 'admin-tenants-create', input).catch(
      explain(tenant),
    );
    if (format === 'table')
      return terminal.write(`Created tenant ${tenant} with ${describeLimits(made.limits)}.`);
    const { limits, models, operations } = made;
    terminal.write(JSON.stringify({ tenant, ...limits, models, operations }, null, 2));
  },
};

const explain = (name: string) => (error: unknown) => {
  if (!(error instanceof GatewayError) || error.kind !== 'conflict') return asUsageError(error);
  throw new Error(`Tenant already exists: ${name}. Change its limits with: tenants set-limits ${name}`);
};

const columnsOf = (rows: readonly Row[]) => [
  ...(['tenant', 'status', ['created_at', showDay], 'requests_per_minute', 'tokens_per_minute'] as const),
  ...(['concurrent_requests', 'monthly_budget_usd', 'credit_usd'] as const),
  ...(rows.some(({ credit_left_usd: left }) => left !== undefined) ? ['credit_left_usd'] : []),
  ...moneyColumns(rows),
];

const tenantsList: Command = {
  name: 'tenants list',
  summary: 'List tenants with their limits and their spend this month',
  description:
    'A budget used is the share of the tightest one, or of the credit. Spend is known where the sums of the dashboard are kept.',
  options: jsonOption,
  examples: ['tenants list', 'tenants list --json'],
  async run({ terminal, format, ...context }) {
    const all = await withAdmin(context, (call) => allTenants(call, 'spend'));
    const rows = all.map((tenant) => ({ ...rowOf(tenant), ...moneyRow(tenant) }));
    if (all.length === 0) terminal.writeError('No tenants found. Create one with: tenants create <tenant>');
    writeListing({ terminal, format }, rows, columnsOf(rows));
  },
};

const tenantsShow: Command = {
  name: 'tenants show',
  summary: 'Show the status, limits, permissions, pricing and credit of a tenant',
  arguments: ['tenant'],
  options: jsonOption,
  examples: ['tenants show acme'],
  async run({ arguments: [name = ''], ...context }) {
    const tenant = await withAdmin(context, async (call, installation) => {
      if (!installation.remote) await settle(installation, name);
      return await call('admin-tenants-retrieve', { tenant: name });
    });
    const money = moneyOf(tenant);
    const row = { ...rowOf(tenant), ...moneyRow(tenant) };
    if (context.format === 'json') return writeOne(context, { ...row, ...money });
    writeOne(context, row);
    // Each as a table of its own, below the fields of the tenant.
    for (const rows of Object.values(money)) {
      context.terminal.write('');
      writeListing(context, rows);
    }
  },
};

/** Finds out how much of each grant was used until yesterday. */
async function settle({ tenants, usage }: Installation, name: string): Promise<void> {
  const stored = await tenants.find(name);
  if (stored) await settleCredit({ tenants, usage, now: Date.now }, stored);
}

const tenantsSettleCredit: Command = {
  name: 'tenants settle-credit',
  summary: 'Allocate use to the credit of all tenants',
  description:
    'It runs by itself while tenants are active. An expired grant counts with what is known of its use. Safe to repeat.',
  examples: ['tenants settle-credit'],
  async run({ terminal, ...context }) {
    const settled = await withInstallation(context, async ({ tenants, tenantEdits, usage }) => {
      let count = 0;
      for (const tenant of await tenantEdits.list()) {
        const after = await settleCredit({ tenants, usage, now: Date.now }, tenant);
        if (after !== tenant) count += 1;
      }
      return count;
    });
    terminal.write(`Settled the credit of ${settled} tenants.`);
  },
};

const rowOf = (tenant: TenantRow): Row => ({
  tenant: tenant.id,
  status: tenant.status,
  created_at: timeOf(tenant.created_at),
  suspended_at: timeOf(tenant.suspended_at),
  ...tenant.limits,
  models: tenant.models,
  operations: tenant.operations,
  ...userLimitsRow(tenant.user_limits),
  throughput: tenant.throughput,
  data_policy: tenant.data_policy && describeDataPolicy(tenant.data_policy),
  cache: tenant.cache && describeCache(tenant.cache),
  database_policy: tenant.on_database_failure,
  alerts_at: tenant.alerts.at,
  webhook: tenant.alerts.webhook_url,
});

/** Only the limits that are set: most tenants have none for their users. */
function userLimitsRow(userLimits: UserLimitsAnswer): Row {
  const set = Object.entries(userLimits).filter(([, value]) => value !== null);
  return Object.fromEntries(set.map(([field, value]) => [`user_${field}`, value]));
}

/** Its pricing and its credit: only what the tenant has. */
function moneyOf({ pricing, grants }: TenantAnswer): Readonly<Record<string, readonly Row[]>> {
  const terms = pricing.map(({ from, markup_percent, fixed_prices }) => ({
    charged_from: timeOf(from),
    markup_percent,
    fixed_prices: fixed_prices.map(({ model }) => model),
  }));
  const credit = grants.map(({ id, given_at, expires_at, by, note, ...grant }) => ({
    grant: id,
    amount_usd: grant.amount_usd,
    left_usd: grant.left_usd,
    priority: grant.priority,
    given_at: timeOf(given_at),
    expires_at: timeOf(expires_at),
    by,
    note,
  }));
  return { ...(terms.length > 0 && { pricing: terms }), ...(credit.length > 0 && { grants: credit }) };
}

export const tenantCommands: readonly Command[] = [
  tenantsCreate,
  tenantsList,
  tenantsShow,
  tenantsSettleCredit,
];
