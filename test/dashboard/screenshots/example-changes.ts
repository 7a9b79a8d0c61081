/** Changes of the example's tenants, by the operations themselves: so the audit log has them. */

import { createKey } from '../../../lib/admin/keys/write-key.ts';
import { giveCredit } from '../../../lib/admin/tenants/add-credit.ts';
import { addAdjustment } from '../../../lib/admin/tenants/adjustments.ts';
import { changePricing } from '../../../lib/admin/tenants/change-pricing.ts';
import { changeTenant } from '../../../lib/admin/tenants/write-tenant.ts';
import type { User } from '../../../lib/core/admin/user.ts';
import { adminRuntime } from '../../../lib/runtime/admin/admin-runtime.ts';
import { gatewayEnvironment } from '../../harness/gateways/environment.ts';

const olga: User = { id: 'olga', name: 'Olga Brandt', role: 'operator', via: 'oidc' };
const ravi: User = {
  id: 'ravi',
  name: 'Ravi Mehta',
  role: 'tenant_admin',
  tenant: 'acme-robotics',
  via: 'oidc',
};

export async function writeChanges(): Promise<void> {
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
