/**
 * A process with an embedded database of records of a thousand tenants with five thousand keys, and their sums, so that a test can measure
 * the gateway without it. Its arguments are a data directory and the number of records; it sends its endpoint when it is ready, and ends with its parent.
 */
import type { LedgerRecord } from '../../../lib/core/accounting/ledger.ts';
import { addTo, sumUntil } from '../../../lib/core/accounting/sums.ts';
import { apiKeyIdOfHash, hashApiKey } from '../../../lib/core/names/api-key.ts';
import { withTime } from '../../../lib/core/names/request-id.ts';
import { keyItemPrefix, partitionKey, sortKey, tenantItemPrefix } from '../../../lib/core/tables.ts';
import { detailedPartsOf, type Part, sumPartsOf } from '../../../lib/metering/aggregate/sums.ts';
import { toItem } from '../../../lib/stores/dynamodb/attribute-values.ts';
import type { ItemKey } from '../../../lib/stores/dynamodb/table.ts';
import { periodsAt } from '../../../lib/stores/limits/periods.ts';
import { counterKey, recordKeys } from '../../../lib/stores/usage/keys.ts';
import { doneFields } from '../../../lib/stores/usage/ledger-writes.ts';
import { sinceKey, sumKey } from '../../../lib/stores/usage/sums.ts';
import { startDatabase } from '../../../local/database.ts';
import { testRecord } from '../ledger.ts';
import { createRandom } from '../random.ts';

const [, , dataDirectory = '', records = ''] = process.argv;
const tenants = 1_000;
const days = 62;
const dayMs = 86_400_000;
const now = Date.now();

const keysOfTenant = 5;
const hashOf = (tenant: number, key: number) => hashApiKey(`key ${key} of ${tenant}`);

/** Few tenants have most of the requests; a large one has many keys and models. */
function* makeRecords(): Generator<LedgerRecord> {
  const random = createRandom(1);
  for (let index = 0; index < Number(records); index += 1) {
    const tenant = Math.floor(tenants * random.next() ** 3);
    const model = random.between(0, tenant < 20 ? 19 : 3);
    const at = now - Math.floor(random.next() * days * dayMs);
    yield {
      ...testRecord({
        requestId: withTime(`00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, at),
        tenant: `tenant-${tenant}`,
        key: apiKeyIdOfHash(hashOf(tenant, random.between(0, keysOfTenant - 1))),
        model: `owner/model-${model}`,
        provider: `provider-${model % 7}`,
        at,
        streamed: true,
        firstByteMs: random.between(200, 3_000),
        ...(tenant < 20 && { user: `user-${random.between(0, 9)}` }),
        cost: random.chance(0.01) ? null : random.between(1_000, 9_000_000),
        ...(random.chance(0.02) && { status: 500, error: 'provider_error' }),
      }),
    };
  }
}

import engine, { type Item, type Store } from 'dynalite/db/index.js';

/** The files of the next database that this process opens: through its API, the records would take minutes. */
function catchStore(): () => Store {
  const { create } = engine;
  let store: Store | undefined;
  engine.create = (options) => {
    store = create(options);
    engine.create = create;
    return store;
  };
  return () => {
    if (!store) throw new Error('No database was opened.');
    return store;
  };
}

const itemsOfBatch = 5_000;
const daysWithHours = 7;

/** With every sum that the aggregator would have made of these records. */
async function seedLedger(store: Store, records: Iterable<LedgerRecord>): Promise<void> {
  const sums = new Map<string, { key: ItemKey; fields: Record<string, number> }>();
  const add = <Key extends object>(
    parts: readonly Part<Key>[],
    keyOf: (key: Key) => ItemKey,
    more: (key: Key) => object,
  ) => {
    for (const { key, counts, lastAt = 0 } of parts) {
      const at = keyOf(key);
      const name = String(at);
      const sum = sums.get(name) ?? { key: at, fields: { ...more(key) } };
      sums.set(name, sum);
      addTo(sum.fields, counts);
      if (lastAt > (sum.fields.lastAt ?? 0)) sum.fields.lastAt = lastAt;
    }
  };
  let batch: { type: 'put'; key: string; value: Item }[] = [];
  const put = async ([partition, sort]: readonly [string, string], fields: object) => {
    const item = toItem({ ...fields, [partitionKey]: partition, [sortKey]: sort }) as Item;
    batch.push({ type: 'put', key: `item-usage~${engineKey(partition, sort)}`, value: item });
    if (batch.length < itemsOfBatch) return;
    await store.db.batch(batch);
    batch = [];
  };
  for (const record of records) {
    await put(recordKeys(record, 1).done, doneFields(record, 'seeded', 90));
    add(detailedPartsOf(record), counterKey, () => ({ charge: 0 }));
    // Hours are shown of few days.
    const isOld = record.at < Date.now() - daysWithHours * 86_400_000;
    const parts = sumPartsOf(record).filter(({ key }) => !isOld || key.of !== 'hour');
    add(parts, sumKey, (key) => ({ expires_at: sumUntil(key) }));
  }
  for (const { key, fields } of sums.values()) await put(key as readonly [string, string], fields);
  await put(sinceKey as readonly [string, string], { at: 1, keysAt: 1 });
  await store.db.batch(batch);
}

/** All have limits, and count them. */
async function seedSubjects(store: Store): Promise<void> {
  const batch: { type: 'put'; key: string; value: Item }[] = [];
  const limits = { requests_per_minute: 600, monthly_budget: 50_000_000_000 };
  const add = (kind: 'key' | 'tenant', id: string, access: string, fields: object) => {
    const item = { [partitionKey]: access, created_at: 1_790_000_000 + batch.length, ...limits, ...fields };
    const key = engine.createKey({ [partitionKey]: { S: access } }, accessTable);
    batch.push({ type: 'put', key: `item-access~${key}`, value: toItem(item) as Item });
    const pool = `limit#${kind}#${id}`;
    const counts = {
      ...periodsAt(Math.floor(now / 60_000)),
      requests: 3,
      committed: batch.length * 1_000_000,
    };
    const value = toItem({ ...counts, [partitionKey]: pool, [sortKey]: 'now' }) as Item;
    batch.push({ type: 'put', key: `item-usage~${engineKey(pool, 'now')}`, value });
  };
  for (let tenant = 0; tenant < tenants; tenant += 1) {
    add('tenant', `tenant-${tenant}`, `${tenantItemPrefix}tenant-${tenant}`, {});
    for (let key = 0; key < keysOfTenant; key += 1) {
      const hash = hashOf(tenant, key);
      const fields = { tenant: `tenant-${tenant}`, name: `key ${key} of ${tenant}` };
      add('key', apiKeyIdOfHash(hash), `${keyItemPrefix}${hash}`, fields);
    }
  }
  await store.db.batch(batch);
}

const accessTable = {
  AttributeDefinitions: [{ AttributeName: partitionKey, AttributeType: 'S' }],
  KeySchema: [{ AttributeName: partitionKey }],
};

const table = {
  AttributeDefinitions: [partitionKey, sortKey].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
  KeySchema: [partitionKey, sortKey].map((name) => ({ AttributeName: name })),
};

const engineKey = (partition: string, sort: string) =>
  engine.createKey({ [partitionKey]: { S: partition }, [sortKey]: { S: sort } }, table);

process.once('disconnect', () => process.exit());
const store = catchStore();
const { endpoint } = await startDatabase({ dataDirectory });
await seedLedger(store(), makeRecords());
await seedSubjects(store());
process.send?.({ endpoint });
