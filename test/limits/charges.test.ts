/** Budgets and credit count what a tenant is charged, through the gateway. */
import { expect, test } from 'vitest';
import type { Pricing } from '../../lib/core/accounting/pricing.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { openLedger } from '../harness/ledger.ts';
import { costOfAnswer, maxCost, question, useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway();

async function keyWith(pricing: Pricing, monthlyBudget: number) {
  const made = await gateway.newKey({ tenant: { monthlyBudget } });
  const tenants = createTenantStore({ call: gateway.store.call, table: 'access' });
  expect(await tenants.replacePricing(made.tenant.id, undefined, pricing)).toBe(true);
  return made;
}

async function recordsOf(tenant: string) {
  const ledger = openLedger();
  const records = await ledger.recordsOf(tenant);
  const sums = await ledger.sums(tenant);
  await ledger.close();
  return { records, sums };
}

test('a markup: the record has cost and charge, and the budget counts the charge', async () => {
  const made = await keyWith([{ from: 0, markup: 2_000 }], 10 * maxCost);
  expect((await gateway.ask(made.secret)).status).toBe(200);
  const charge = (costOfAnswer * 12) / 10;
  const { records, sums } = await recordsOf(made.tenant.id);
  expect(records).toMatchObject([
    { cost: costOfAnswer, charge, pricing: '20 % from 1970-01-01T00:00:00Z', attempts: [{ charge }] },
  ]);
  expect(sums).toMatchObject({ cost: costOfAnswer, charge, uncharged: 0 });
  expect(await gateway.settledUsageOf(made.tenant)).toMatchObject({ committed: charge });
});

test('what is reserved is the highest charge: for the highest cost, less output fits', async () => {
  const pricing = [{ from: 0, markup: 2_000 }];
  for (const [budget, whole] of [
    [maxCost, false],
    [(maxCost * 12) / 10, true],
  ] as const) {
    const { secret } = await keyWith(pricing, budget);
    expect((await gateway.ask(secret)).status).toBe(200);
    const sent = Number(Object(gateway.upstream.requests.at(-1)?.body).max_completion_tokens);
    expect(sent === question.max_completion_tokens).toBe(whole);
  }
});

test('a fixed price of a model replaces its cost, in the reservation too', async () => {
  const price = { input: 1, output: 2, cachedInput: null, cacheWrite: null };
  const models = { [question.model]: price };
  const made = await keyWith([{ from: 0, markup: 2_000, models }], maxCost / 1_000);
  expect((await gateway.ask(made.secret)).status).toBe(200);
  const { records } = await recordsOf(made.tenant.id);
  expect(records).toMatchObject([{ cost: costOfAnswer, charge: 10 * 1 + 5 * 2 }]);
});

test('an answer has what the tenant is charged, where it is asked for', async () => {
  const made = await keyWith([{ from: 0, markup: 2_000 }], 10 * maxCost);
  const cost = (costOfAnswer * 12) / 10 / 1_000_000_000;
  const included = await gateway.ask(made.secret, { ...question, usage: { include: true } });
  expect(await included.json()).toMatchObject({ usage: { cost } });
  const debugged = await gateway.ask(made.secret, { ...question, extra: { debug: ['cost'] } });
  expect(await debugged.json()).toMatchObject({ usage: { cost }, debug: { cost } });
  const stream = await gateway.ask(made.secret, question);
  expect(await stream.json()).not.toHaveProperty('usage.cost');
});
