/** `tenants list` and `tenants show`: who there is, and what they may do. */
import type { StoredTenant } from '../../../lib/stores/access/tenants.ts';
import { type Command, withInstallation } from '../command.ts';
import { jsonOption, type Row, readFormat, writeListing } from '../output/listing.ts';
import { showDay, timeOf, writeOne } from '../output/show.ts';
import { found } from './holder.ts';
import { tenancyRow } from './tenancy-options.ts';

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
  summary: 'List all tenants with their limits.',
  arguments: [],
  options: jsonOption,
  async run({ terminal, options, flags, ...context }) {
    const format = readFormat({ options, flags });
    const all = await withInstallation(context, ({ tenants }) => tenants.list());
    if (all.length === 0) terminal.tell('There are no tenants yet. Make one with: tenants create <tenant>');
    writeListing(terminal, { columns, rows: all.map(rowOf) }, format);
  },
};

export const tenantsShow: Command = {
  name: 'tenants show',
  summary: 'Show one tenant: its state, its limits, and what its keys may be used for.',
  arguments: ['tenant'],
  options: jsonOption,
  async run({ arguments: [name = ''], ...context }) {
    const tenant = await withInstallation(context, ({ tenants }) => tenants.find(name));
    writeOne(context, rowOf(found(tenant, 'tenant', name, 'tenants')));
  },
};

const rowOf = ({ name, createdAt, suspendedAt, ...tenancy }: StoredTenant): Row => ({
  tenant: name,
  status: suspendedAt === undefined ? 'active' : 'suspended',
  created_at: timeOf(createdAt),
  suspended_at: timeOf(suspendedAt),
  ...tenancyRow(tenancy),
});
