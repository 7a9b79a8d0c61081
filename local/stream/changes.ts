/**
 * The stream of the ledger's changes, which the embedded database lacks: each write of a ledger item and the change that it
 * makes are stored together, and the change stays on disk until it was processed. So a process that is killed loses none.
 */
import { randomBytes } from 'node:crypto';
import type { Item, ItemDatabase, Store } from 'dynalite/db/index.js';
import { partitionKey, sortKey } from '../../lib/core/tables.ts';
import { streamedPrefixes } from '../../lib/stores/usage/keys.ts';

/** One change of an item, with its images in DynamoDB's format. */
export interface Change {
  readonly shard: string;
  /** Greater than those before it in the shard. */
  readonly sequence: string;
  /** In Unix milliseconds. */
  readonly at: number;
  readonly oldImage?: Item;
  readonly newImage?: Item;
}

export interface Changes {
  /** The oldest changes, all of one shard. */
  next(limit: number): Promise<readonly Change[]>;
  /** Removes changes that were processed. */
  done(changes: readonly Change[]): Promise<void>;
  /** Calls `listener` with each further change. */
  onChange(listener: () => void): void;
}

const table = 'usage';

/** The engine stores a table's items below keys that start so. */
const itemPrefix = `item-${table}~`;
const streamPrefix = 'stream~';
const afterStream = 'stream~~';

export function keepChanges(store: Store): Changes {
  // Changes that an earlier process left keep their shard, whose positions the items know.
  const shard = `shardId-${String(Date.now()).padStart(20, '0')}-${randomBytes(4).toString('hex')}`;
  let last = 0;
  // The engine may finish a later write first: a change is given out when all before it are written.
  const unwritten = new Set<number>();
  let listener = () => {};
  const write = async (key: string, images: Pick<Change, 'oldImage' | 'newImage'>) => {
    last += 1;
    const number = last;
    const change: Change = { shard, sequence: sequenceOf(number), at: Date.now(), ...images };
    const item = images.newImage
      ? ({ type: 'put', key: itemPrefix + key, value: images.newImage } as const)
      : ({ type: 'del', key: itemPrefix + key } as const);
    unwritten.add(number);
    await store.db
      .batch([item, { type: 'put', key: keyOf(change), value: change }])
      .finally(() => unwritten.delete(number));
    listener();
  };
  watch(store.getItemDb(table), write);
  return {
    async next(limit) {
      const found: Change[] = [];
      const bound = sequenceOf(unwritten.size > 0 ? Math.min(...unwritten) : last + 1);
      const range = { gt: streamPrefix, lt: afterStream, limit };
      for await (const [, value] of store.db.iterator(range)) found.push(value as Change);
      return found.filter(
        (change) => change.shard === found[0]?.shard && (change.shard !== shard || change.sequence < bound),
      );
    },
    done: (changes) => store.db.batch(changes.map((change) => ({ type: 'del', key: keyOf(change) }))),
    onChange(changed) {
      listener = changed;
    },
  };
}

const sequenceOf = (number: number) => String(number).padStart(21, '0');
const keyOf = ({ shard, sequence }: Change) => `${streamPrefix}${shard}~${sequence}`;

type Write = (key: string, images: Pick<Change, 'oldImage' | 'newImage'>) => Promise<void>;

/** The engine holds a lock of the key while it writes, so the item that is read here is the one that is replaced. */
function watch(items: ItemDatabase, write: Write): void {
  const { put, del } = items;
  const replace = (key: string, newImage: Item | undefined, done: (error?: Error | null) => void) => {
    items.get(key, (_, oldImage) => {
      const images = { ...(oldImage && { oldImage }), ...(newImage && { newImage }) };
      write(key, images).then(() => done(), done);
    });
  };
  items.put = (key, item, done) => (isOfLedger(item) ? replace(key, item, done) : put(key, item, done));
  items.del = (key, done) =>
    items.get(key, (_, item) => {
      if (item && isOfLedger(item)) replace(key, undefined, done);
      else del(key, done);
    });
}

/** The same changes that the stream's filter lets through in AWS. */
const isOfLedger = ({ [partitionKey]: key }: Item) =>
  key !== undefined &&
  'S' in key &&
  typeof key.S === 'string' &&
  streamedPrefixes.some((prefix) => String(key.S).startsWith(prefix));

/** The key attributes of an item. */
export const keysOf = (item: Item | undefined) => ({
  [partitionKey]: item?.[partitionKey],
  [sortKey]: item?.[sortKey],
});
