/**
 * A ledger of many requests with its sums, written straight into the files of the embedded database: through its API it would take
 * minutes.
 */
import engine, { type Item, type Store } from 'dynalite/db/index.js';
import type { LedgerRecord } from '../../../lib/core/accounting/ledger.ts';
import { addTo, sumUntil } from '../../../lib/core/accounting/sums.ts';
import { partitionKey, sortKey } from '../../../lib/core/tables.ts';
import type { Part } from '../../../lib/metering/aggregate/sums.ts';
import { detailedPartsOf, sumPartsOf } from '../../../lib/metering/aggregate/sums.ts';
import { toItem } from '../../../lib/stores/dynamodb/attribute-values.ts';
import type { ItemKey } from '../../../lib/stores/dynamodb/table.ts';
import { counterKey, recordKey } from '../../../lib/stores/usage/keys.ts';
import { sinceKey, sumKey } from '../../../lib/stores/usage/sums.ts';
import { doneFields } from '../../../lib/stores/usage/usage.ts';

/** The files of the next database that this process opens. */
export function catchStore(): () => Store {
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
export async function seedLedger(store: Store, records: Iterable<LedgerRecord>, days = 90): Promise<number> {
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
  let written = 0;
  let batch: { type: 'put'; key: string; value: Item }[] = [];
  const put = async ([partition, sort]: readonly [string, string], fields: object) => {
    const item = toItem({ ...fields, [partitionKey]: partition, [sortKey]: sort }) as Item;
    batch.push({ type: 'put', key: `item-usage~${engineKey(partition, sort)}`, value: item });
    written += 1;
    if (batch.length < itemsOfBatch) return;
    await store.db.batch(batch);
    batch = [];
  };
  for (const record of records) {
    await put(recordKey(record, 1), doneFields(record, 'seeded', days));
    add(detailedPartsOf(record), counterKey, () => ({ charge: 0 }));
    // Hours are shown of few days.
    const isOld = record.at < Date.now() - daysWithHours * 86_400_000;
    const parts = sumPartsOf(record).filter(({ key }) => !isOld || key.of !== 'hour');
    add(parts, sumKey, (key) => ({ expires_at: sumUntil(key) }));
  }
  for (const { key, fields } of sums.values()) await put(key as readonly [string, string], fields);
  await put(sinceKey as readonly [string, string], { at: 1 });
  await store.db.batch(batch);
  return written;
}

const table = {
  AttributeDefinitions: [partitionKey, sortKey].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
  KeySchema: [partitionKey, sortKey].map((name) => ({ AttributeName: name })),
};

const engineKey = (partition: string, sort: string) =>
  engine.createKey({ [partitionKey]: { S: partition }, [sortKey]: { S: sort } }, table);
