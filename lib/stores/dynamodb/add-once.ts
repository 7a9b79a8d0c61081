/** Adds changes of a stream to an item, each exactly once, in whatever batches they come: see `watermark.ts`. */
import type { StreamBatch } from '../../core/accounting/journal.ts';
import type { ItemKey, StoredItem, Table } from './table.ts';
import { toItemUpdate, type UpdateFields } from './update-expression.ts';
import { forgetting, hasSeen, watermarkOf } from './watermark.ts';

interface Additions<Change> {
  /** Of one batch, in its order. */
  readonly changes: readonly Change[];
  readonly batch: StreamBatch;
  /** What these changes do to the item, and on what condition. */
  readonly fieldsOf: (changes: readonly Change[]) => Omit<UpdateFields, 'where'> & Partial<UpdateFields>;
  /** Whether a change still counts, by the item as it is; absent: yes. */
  readonly counts?: (change: Change, item: StoredItem | undefined) => boolean;
}

/** In one write, unless the item has seen some of the changes. May be repeated. */
export async function addOnce<Change extends { readonly sequence: string }>(
  table: Table,
  key: ItemKey,
  { changes, batch, fieldsOf, counts = () => true }: Additions<Change>,
): Promise<void> {
  let unseen = changes;
  while (unseen.length > 0) {
    const [first, last] = [unseen[0], unseen.at(-1)];
    if (!first || !last) return;
    const seenUpTo = watermarkOf(batch, { first: first.sequence, last: last.sequence });
    const { set = [], where = [], ...fields } = fieldsOf(unseen);
    const item = await table.update(
      key,
      toItemUpdate({ ...fields, set: [seenUpTo.set, ...set], where: [seenUpTo.where, ...where] }),
    );
    if (item) return await forget(table, key, item, batch);
    const seen = await table.get(key, { consistent: true });
    unseen = unseen.filter((change) => counts(change, seen) && !hasSeen(seen, batch, change.sequence));
  }
}

/** Fails without harm if another write was faster. */
async function forget(table: Table, key: ItemKey, item: StoredItem, batch: StreamBatch): Promise<void> {
  const fields = forgetting(item, batch);
  if (fields) await table.update(key, toItemUpdate(fields));
}
