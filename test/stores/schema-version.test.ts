/** Items that a later version of the gateway wrote: they are refused with their reason, are not overwritten, and are not counted wrong. */
import { expect, test } from 'vitest';
import { seedRows } from '../../infra/catalog/seed.ts';
import { hashApiKey } from '../../lib/core/names/api-key.ts';
import { keyItemPrefix, partitionKey, sortKey } from '../../lib/core/tables.ts';
import { counterKeyOf, countsOf } from '../../lib/metering/cost/counts.ts';
import { createKeyEdits } from '../../lib/stores/access/key-edits.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantEdits } from '../../lib/stores/access/tenant-edits.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createCatalog, createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { createHostStore } from '../../lib/stores/catalog/hosts.ts';
import { toItem } from '../../lib/stores/dynamodb/attribute-values.ts';
import { LaterItem, latestVersion, versionAttribute } from '../../lib/stores/dynamodb/schema-version.ts';
import { type ItemKey, openTable } from '../../lib/stores/dynamodb/table.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { createResponseStore } from '../../lib/stores/responses/responses.ts';
import { createAggregateStore } from '../../lib/stores/usage/aggregate.ts';
import { readStreamEvent } from '../../lib/stores/usage/stream.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { testRecord } from '../harness/ledger.ts';
import { useTestDatabase } from './database.ts';
import { wantedAt } from './limit-items.ts';

const database = useTestDatabase('access', 'catalog', 'state', 'usage');
const now = Date.now;
const of = (table: string) => ({ call: database.call, table, now });

/** Makes an item one of a later version. */
async function makeLater(table: string, key: ItemKey): Promise<object> {
  const items = openTable(of(table));
  expect(await items.set(key, versionAttribute, latestVersion + 1)).toBe(true);
  return await stored(table, key);
}

async function stored(table: string, key: ItemKey): Promise<object> {
  const [partition, sort] = [key].flat();
  const Key = toItem({ [partitionKey]: partition, ...(sort !== undefined && { [sortKey]: sort }) });
  return (await database.call('DynamoDB_20120810.GetItem', { TableName: table, Key, ConsistentRead: true }))
    .Item as object;
}

const refused = (work: Promise<unknown>) => expect(work).rejects.toThrow(LaterItem);

test('the error says which form it is, and what to do', () => {
  expect(new LaterItem(latestVersion + 1).message).toBe(
    'An item of the database has schema version 2, and this version of the gateway reads schema versions up to 1. Deploy the later version again.',
  );
});

test('a key is refused and not changed, but can be disabled', async () => {
  const keys = createKeyStore(of('access'));
  const made = await keys.create({ tenant: 'acme' });
  const key = keyItemPrefix + hashApiKey(made.secret);
  const before = await makeLater('access', key);
  await refused(keys.findByHash(hashApiKey(made.secret)));
  const edits = createKeyEdits(of('access'));
  await refused(edits.find(made.id));
  await refused(edits.list({}));
  await refused(edits.rotate(made.id, 60));
  await refused(edits.edit(made.id, () => ({ limits: { dailyBudget: 1 } })));
  expect(await stored('access', key)).toEqual(before);
  expect(await edits.disable(made.id, () => {})).toBeDefined();
  expect(await stored('access', key)).toHaveProperty('disabled_at');
});

test('a tenant is refused and not changed', async () => {
  const tenants = createTenantStore(of('access'));
  await tenants.create('later');
  const before = await makeLater('access', 'tenant#later');
  await refused(tenants.find('later'));
  const edits = createTenantEdits(of('access'));
  await refused(edits.list());
  await refused(edits.edit('later', () => ({ limits: { dailyBudget: 1 } })));
  expect(await stored('access', 'tenant#later')).toEqual(before);
});

test('a model is not served and not overwritten, and the others are listed', async () => {
  const store = createCatalogStore(of('catalog'));
  const [one, other] = seedRows.slice(0, 2) as readonly { readonly id: string }[];
  await store.put(one, { source: 'operator' });
  await store.put(other, { source: 'operator' });
  const key = `model#${one?.id}`;
  const before = await makeLater('catalog', key);
  const warnings: string[] = [];
  const catalog = createCatalog({ store, now, warn: (id) => warnings.push(id) });
  expect((await catalog.list()).map(({ id }) => id)).toEqual([other?.id]);
  expect(warnings).toEqual([one?.id]);
  await expect(catalog.find(one?.id ?? '')).rejects.toMatchObject({ kind: 'internal' });
  await refused(store.put(one, { source: 'operator' }));
  expect(await store.put(one, { source: 'seed' })).toBe('kept');
  expect(await stored('catalog', key)).toEqual(before);
});

test('a host is refused and not overwritten', async () => {
  const hosts = createHostStore(of('catalog'));
  const host = { name: 'vllm-a', source: 'command', row: { name: 'vllm-a' } } as const;
  await hosts.put(host);
  const before = await makeLater('catalog', 'host#vllm-a');
  await refused(hosts.get('vllm-a'));
  await refused(hosts.put(host));
  expect(await stored('catalog', 'host#vllm-a')).toEqual(before);
});

test('a stored response is refused, and can be deleted', async () => {
  const responses = createResponseStore(of('state'));
  await responses.put('acme', 'resp_1', { response: { id: 'resp_1' }, input: [] });
  await makeLater('state', 'response#acme#resp_1');
  await refused(responses.find('acme', 'resp_1'));
  expect(await responses.delete('acme', 'resp_1')).toBe(true);
});

test('a record is not read as another, and no sum follows from it', async () => {
  const usage = createUsageStore(of('usage'));
  const record = testRecord({ tenant: 'later', at: now() });
  await usage.record(record, 'a-write');
  const day = new Date(record.at).toISOString();
  const key = [`ledger#later#${day.slice(0, 10)}`, `${day}#${record.requestId}`] as const;
  const before = await makeLater('usage', key);
  const span = { from: record.at - 1, to: record.at + 1 };
  await refused(usage.records('later', { ...span, limit: 10 }));
  await refused(usage.record({ ...record, status: 500 }, 'another-write'));
  expect(await stored('usage', key)).toEqual(before);
  const event = { shardId: 'shard', Records: [{ dynamodb: { NewImage: before, SequenceNumber: '1' } }] };
  expect(readStreamEvent(event)).toMatchObject({ changes: [], unreadable: 1 });
});

test('a sum is not added to', async () => {
  const usage = createUsageStore(of('usage'));
  const record = testRecord({ tenant: 'summed', at: now() });
  const counter = counterKeyOf(record);
  await usage.replaceCounter(counter, countsOf(record), undefined, 0);
  const month = counter.day.slice(0, 7);
  const key = [`count#summed#${month}`, `${counter.day}#${counter.key}#${counter.model}`] as const;
  const before = await makeLater('usage', key);
  const change = { sequence: '1', at: now(), counts: countsOf(record) };
  const batch = { shard: 'shard', now: now() };
  await refused(createAggregateStore(of('usage')).addToCounter(counter, [change], batch));
  await refused(usage.counters('summed', { from: counter.day, to: counter.day }));
  expect(await stored('usage', key)).toEqual(before);
});

test('the use of a limit is unknown', async () => {
  const limits = createLimitStore(of('usage'));
  const scope = { kind: 'tenant', id: 'limited' } as const;
  const item = { minute: 1, [versionAttribute]: latestVersion + 1 };
  await openTable(of('usage')).put(['limit#tenant#limited', 'now'], item);
  await refused(limits.read(scope));
});

test('an item that a process remembers is not changed once a later version wrote it', async () => {
  const limits = createLimitStore(of('usage'));
  const scope = { kind: 'tenant', id: 'remembered' } as const;
  const rules = { requestsPerMinute: 10 };
  expect((await limits.reserve(scope, rules, wantedAt(now()))).refusedBy).toBeUndefined();
  const before = await makeLater('usage', ['limit#tenant#remembered', 'now']);
  await refused(limits.reserve(scope, rules, wantedAt(now())));
  expect(await stored('usage', ['limit#tenant#remembered', 'now'])).toEqual(before);
});

test('pricing and credit of a tenant are not changed', async () => {
  const tenants = createTenantStore(of('access'));
  await tenants.create('later-terms');
  const before = await makeLater('access', 'tenant#later-terms');
  expect(await tenants.replacePricing('later-terms', undefined, [])).toBe(false);
  await refused(
    createTenantEdits(of('access')).addCredit('later-terms', {
      id: 'g',
      amount: 5,
      priority: 1,
      at: now(),
      by: 'operator',
    }),
  );
  expect(await stored('access', 'tenant#later-terms')).toEqual(before);
});
