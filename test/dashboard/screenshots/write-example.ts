/** Writes the example into the gateway of this process: tenants, keys and the ledger, whose sums follow by themselves. */

import { createKey } from '../../../lib/admin/keys/write-key.ts';
import { giveCredit } from '../../../lib/admin/tenants/add-credit.ts';
import { addAdjustment } from '../../../lib/admin/tenants/adjustments.ts';
import { changePricing } from '../../../lib/admin/tenants/change-pricing.ts';
import { changeTenant } from '../../../lib/admin/tenants/write-tenant.ts';
import { mapConcurrently } from '../../../lib/async/map-concurrently.ts';
import type { LedgerRecord } from '../../../lib/core/accounting/ledger.ts';
import type { Committed } from '../../../lib/core/accounting/limits.ts';
import { startOfWeek } from '../../../lib/core/accounting/periods.ts';
import type { User } from '../../../lib/core/admin/user.ts';
import type { Model } from '../../../lib/core/catalog/model.ts';
import { hashApiKey } from '../../../lib/core/names/api-key.ts';
import { adminRuntime } from '../../../lib/runtime/admin/admin-runtime.ts';
import { foundationOf } from '../../../lib/runtime/foundation.ts';
import { runtimeOf } from '../../../lib/runtime/runtime.ts';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { createTenantEdits } from '../../../lib/stores/access/tenant-edits.ts';
import { createTenantStore } from '../../../lib/stores/access/tenants.ts';
import { createLimitStore } from '../../../lib/stores/limits/limits.ts';
import { createAggregateStore } from '../../../lib/stores/usage/aggregate.ts';
import { createAlertLog } from '../../../lib/stores/usage/alert-log.ts';
import { createUsageStore } from '../../../lib/stores/usage/usage.ts';
import { disableKey } from '../../harness/access.ts';
import { gatewayEnvironment } from '../../harness/gateways/environment.ts';
import { createRandom } from '../../harness/random.ts';
import { exampleTenants } from './example-people.ts';
import { requestsOf } from './example-requests.ts';

const dayMs = 86_400_000;

/** Returns how many requests it has. */
export async function writeExample(days: number): Promise<number> {
  const variables = gatewayEnvironment();
  const { table, now } = foundationOf(variables);
  const inTheBeginning = () => now() - (days + 1) * dayMs;
  const access = { ...table('access'), now: inTheBeginning };
  const [keys, tenants, tenantEdits] = [
    createKeyStore(access),
    createTenantStore(access),
    createTenantEdits(access),
  ];
  const limits = createLimitStore({ ...table('usage'), now });
  const usage = createUsageStore({ ...table('usage'), now });
  const known = await runtimeOf(variables).catalog.list();
  const models = new Map<string, Model>(known.map((model) => [model.id, model]));
  const random = createRandom(7);
  let written = 0;
  // As if the gateway had been there all the time: what was before its sums is not shown.
  const sums = createAggregateStore({ ...table('usage'), now: inTheBeginning });
  await sums.noteSums(false);
  await sums.noteSums(true);
  for (const { name, change, keys: made } of exampleTenants) {
    await tenants.create(name);
    await tenantEdits.edit(name, () => change);
    const ofTenant: LedgerRecord[] = [];
    for (const { habit, ...key } of made) {
      const { id, secret } = await keys.create({ ...key, tenant: name });
      if (!habit) {
        await disableKey(access, id);
        continue;
      }
      const records = [...requestsOf({ tenant: name, key: id, habit }, models, random, days)];
      await mapConcurrently(records, 8, async (record) => {
        await usage.record(record, `write_${record.requestId}`);
      });
      await limits.seed({ kind: 'key', id }, committedIn(records, now()));
      const last = Math.max(0, ...records.map(({ at }) => at));
      await keys.noteUse(hashApiKey(secret), Math.floor(last / 60_000) * 60);
      ofTenant.push(...records);
    }
    await limits.seed({ kind: 'tenant', id: name }, committedIn(ofTenant, now()));
    written += ofTenant.length;
  }
  await writeChanges();
  const alerts = createAlertLog({ ...table('usage'), now });
  const since = now() - dayMs / 12;
  const fails = { type: 'provider.failing', message: 'Calls of the provider openai fail.' };
  await alerts.write({ ...fails, id: 'alert_1', since, until: since + 1_500_000 });
  const tenant = exampleTenants[0]?.name ?? '';
  const message = `80 % of the monthly budget of tenant ${tenant} is used.`;
  const reached = { type: 'limit.alert', tenant, message, until: now() + 3 * dayMs, delivered: true };
  await alerts.write({ ...reached, id: 'alert_2', since: since + 3_000_000 });
  return written;
}

/** What requests have cost in the periods of budgets. */
function committedIn(records: readonly LedgerRecord[], now: number): Committed {
  const since = (start: number) =>
    records.reduce((sum, { at, charge }) => (at < start ? sum : sum + (charge ?? 0)), 0);
  const today = new Date(now).toISOString().slice(0, 10);
  return {
    day: since(Date.parse(today)),
    week: since(startOfWeek(now)),
    month: since(Date.parse(`${today.slice(0, 7)}-01`)),
    total: since(0),
  };
}

const olga: User = { id: 'olga', name: 'Olga Brandt', role: 'operator', via: 'oidc' };
const ravi: User = {
  id: 'ravi',
  name: 'Ravi Mehta',
  role: 'tenant_admin',
  tenant: 'acme-robotics',
  via: 'oidc',
};

/** By the operations themselves: so the audit log has them. */
async function writeChanges(): Promise<void> {
  const parts = adminRuntime(gatewayEnvironment());
  const acme = 'acme-robotics';
  await giveCredit(parts, olga, {
    tenant: 'orchard-labs',
    id: 'payment-7',
    amount_usd: '200',
    note: 'Invoice 7',
  });
  await changePricing(parts, olga, {
    tenant: acme,
    markup_percent: '12.5',
    fixed_prices: { 'openai/gpt-5.4': { input: 3, output: 18 } },
  });
  await giveCredit(parts, olga, { tenant: acme, id: 'payment-9', amount_usd: '1500', note: 'Annual plan' });
  await addAdjustment(parts, olga, {
    tenant: acme,
    id: 'outage',
    amount_usd: '-12.50',
    reason: 'Outage of 14 November',
  });
  await changeTenant(parts, olga, {
    tenant: acme,
    limits: { monthly_budget_usd: '150' },
    user_limits: { daily_budget_usd: '5' },
    alerts: { at: [60, 90, 100] },
  });
  await changeTenant(parts, olga, { tenant: 'northwind-studio', suspended: true });
  await createKey(parts, ravi, {
    name: 'Welding cell',
    limits: { daily_budget_usd: '4' },
    models: ['openai/*'],
  });
}
