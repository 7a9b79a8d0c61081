/** The tenants of these tests: one at cost, one with a markup, one with fixed prices of a model. All have wide budgets. */

import type { Pricing } from '../../lib/core/accounting/pricing.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { databaseEndpoint } from '../harness/gateways/environment.ts';
import type { PriceRow } from './models.ts';

export interface BilledTenant {
  readonly name: string;
  /** In hundredths of a percent. */
  readonly markup: number;
  /** The model with prices of its own, which replace cost and markup. */
  readonly fixed?: { readonly model: string; readonly price: PriceRow };
}

export const tenants = [
  { name: 'at-cost', markup: 0 },
  { name: 'marked-up', markup: 1_725 },
  {
    name: 'fixed-price',
    markup: 500,
    fixed: {
      model: 'billed/claude',
      price: { input: 3, output: 40, cachedInput: 1, cacheWrite: 2, cacheWriteHour: 4 },
    },
  },
] as const satisfies readonly BilledTenant[];

export const tenantOf = (number: number): BilledTenant => tenants[number % tenants.length] ?? tenants[0];

/** Far more than all requests come to, so that no limit changes what they do. */
const wide: Limits = {
  requestsPerMinute: 1_000_000,
  tokensPerMinute: 1_000_000_000_000,
  dailyBudget: 1_000_000_000_000_000,
  monthlyBudget: 1_000_000_000_000_000,
};

const nano = (usdPerMillion: number | undefined) =>
  usdPerMillion === undefined ? null : usdPerMillion * 1_000;

function pricingOf({ markup, fixed }: BilledTenant): Pricing {
  const models = fixed && {
    [fixed.model]: {
      input: fixed.price.input * 1_000,
      output: fixed.price.output * 1_000,
      cachedInput: nano(fixed.price.cachedInput),
      cacheWrite: nano(fixed.price.cacheWrite),
      cacheWriteHour: (fixed.price.cacheWriteHour ?? 0) * 1_000,
    },
  };
  return [{ from: 0, markup, ...(models && { models }) }];
}

export interface TenantKey {
  readonly secret: string;
  readonly id: string;
}

/** A key of each tenant, by the tenant's name. */
export async function createBilledTenants(): Promise<ReadonlyMap<string, TenantKey>> {
  const { call, close } = connectDatabase(databaseEndpoint());
  const access = { call, table: 'access' };
  const keys = new Map<string, TenantKey>();
  for (const tenant of tenants) {
    const { name } = tenant;
    await createTenantStore(access).create(name, { limits: wide });
    await createTenantStore(access).replacePricing(name, undefined, pricingOf(tenant));
    const { secret, id } = await createKeyStore(access).create({ tenant: name, limits: wide });
    keys.set(name, { secret, id });
  }
  await close();
  return keys;
}
