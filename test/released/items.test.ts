/** Items of every release, written by its own code (`record.ts`), as this version reads them. The time is that of the recording: items expire. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { dayOf } from '../../lib/core/accounting/counters.ts';
import { hashApiKey } from '../../lib/core/names/api-key.ts';
import { tableNames } from '../../lib/core/tables.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createCatalog, createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { fromItem, type Item } from '../../lib/stores/dynamodb/attribute-values.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { createResponseStore } from '../../lib/stores/responses/responses.ts';
import { readLedgerItem } from '../../lib/stores/usage/read-ledger-item.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { use } from '../harness/use.ts';
import { startTestDatabase } from '../stores/database.ts';
import { releases } from './releases.ts';
import { budgets, type Facts, model, tenant } from './use-gateway.ts';

const nanoDollars = 1_000_000_000;

describe.each(releases)('items of $name', ({ name }) => {
  const read = <Content>(file: string): Content =>
    JSON.parse(readFileSync(join(import.meta.dirname, name, `${file}.json`), 'utf8'));
  const facts = read<Facts & { readonly at: number }>('facts');
  const now = () => facts.at + 60_000;
  const days = { from: dayOf(facts.at), to: dayOf(now()) };
  /** A release has no items of a table that came later. */
  const itemsOf = (table: string) =>
    existsSync(join(import.meta.dirname, name, `${table}.json`)) ? read<readonly Item[]>(table) : [];
  const of = (table: string) => ({ call: database.call, table, now });

  const database = use(() => startTestDatabase(tableNames));
  beforeAll(async () => {
    for (const table of tableNames) {
      for (const Item of itemsOf(table))
        await database.call('DynamoDB_20120810.PutItem', { TableName: table, Item });
    }
  });

  test('the key works, with its limits and permissions', async () => {
    expect(await createKeyStore(of('access')).findByHash(hashApiKey(facts.secret))).toMatchObject({
      tenant,
      name: 'laptop',
      limits: { monthlyBudget: budgets.key * nanoDollars },
      models: ['openai/*'],
    });
  });

  test('the tenant has its limits and its credit', async () => {
    expect(await createTenantStore(of('access')).find(tenant)).toMatchObject({
      limits: { monthlyBudget: budgets.tenant * nanoDollars, credit: budgets.credit * nanoDollars },
    });
  });

  test('the model is served, with its price', async () => {
    const warnings: string[] = [];
    const catalog = createCatalog({
      store: createCatalogStore(of('catalog')),
      now,
      warn: (_id, reason) => warnings.push(reason),
    });
    const found = await catalog.find(model);
    expect(found?.deployments.length).toBeGreaterThan(0);
    expect(found?.prices?.length).toBeGreaterThan(0);
    expect(warnings).toEqual([]);
  });

  test('every record is read, at the cost that it was billed at', async () => {
    const usage = createUsageStore(of('usage'));
    const span = { from: facts.at - 1, to: now() };
    const { records } = await usage.records(tenant, { ...span, limit: 100 });
    expect(records).toHaveLength(facts.requests);
    const raw = itemsOf('usage').flatMap((item) => {
      const { record } = fromItem(item) as { readonly record?: { readonly cost: number } };
      return record ? [record.cost] : [];
    });
    expect(records.map(({ cost }) => cost).toSorted()).toEqual(raw.toSorted());
    expect(records.every(({ attempts, charge }) => attempts.length === 1 && charge !== null)).toBe(true);
    const unread = itemsOf('usage').filter(
      (item) => 'record' in item && readLedgerItem(fromItem(item)) === undefined,
    );
    expect(unread).toEqual([]);
  });

  test('the sums are those that the release answered with', async () => {
    const counters = await createUsageStore(of('usage')).counters(tenant, days);
    const total = (count: 'requests' | 'promptTokens') =>
      counters.reduce((sum, { counts }) => sum + counts[count], 0);
    expect(total('requests')).toBe(facts.requests);
    expect(total('promptTokens')).toBe(facts.promptTokens);
  });

  test('what was used of the limits is still counted', async () => {
    const read = await createLimitStore(of('usage')).read({ kind: 'tenant', id: tenant });
    expect(read?.committed).toBeGreaterThan(0);
    expect(read?.running).toBe(0);
  });

  test('the conversation can be continued', async () => {
    const found = await createResponseStore(of('state')).find(tenant, facts.responseId);
    expect(await found?.readResponse()).toMatchObject({ id: facts.responseId });
    expect(found?.bytes).toBeGreaterThan(0);
  });
});
