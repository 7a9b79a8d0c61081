/** One item of the limits: read and written, and remembered as this process saw it last. */
import { createHash } from 'node:crypto';
import { AwsError } from '../../core/ports/aws.ts';
import { DatabaseUnresponsive } from '../dynamodb/circuit-breaker.ts';
import type { ItemKey, StoredItem, Table } from '../dynamodb/table.ts';
import { toItemUpdate, type UpdateFields } from '../dynamodb/update-expression.ts';
import type { Lru } from '../lru.ts';
import { minuteOf } from './periods.ts';

export interface ItemAccess<Item> {
  readonly now: () => number;
  /** The item as this process saw it last. */
  seen(): Item | undefined;
  read(): Promise<Item | undefined>;
  /** Undefined where the condition did not hold. Never repeated by itself: if it rejects, it may have taken place. */
  update(change: UpdateFields): Promise<Item | undefined>;
  /** The same, and finds out what became of a write whose answer was lost: `before` is what its slot held. */
  updateMarked(change: UpdateFields, slot: Slot, before: unknown): Promise<Item | undefined>;
}

interface ItemKind<Item> {
  readonly table: Table;
  readonly now: () => number;
  readonly remembered: Lru<Item & object>;
  readonly parse: (stored: StoredItem) => Item & object;
  /** Brings an item back that a wrong clock has left far ahead of this one; undefined for any other. */
  readonly rebased: (item: Item, minute: number) => UpdateFields | undefined;
  /** It was brought back. */
  readonly onRebased?: ((name: string) => void) | undefined;
}

/** Of items that a wrong clock takes ahead again and again. */
const maxRebases = 3;

export function openItem<Item>(kind: ItemKind<Item>, name: string): ItemAccess<Item> {
  const { table, now, remembered, parse, onRebased } = kind;
  const rebased = (item: Item) => kind.rebased(item, minuteOf(now()));
  const key: ItemKey = [name, 'now'];
  const remember = (stored: StoredItem) => {
    const item = parse(stored);
    remembered.set(name, item);
    return item;
  };
  const readStored = async () => {
    const stored = await table.get(key, { consistent: true });
    if (stored) return remember(stored);
    remembered.delete(name);
    return undefined;
  };
  const read = async () => {
    let item = await readStored();
    for (let tries = 0; tries < maxRebases; tries += 1) {
      const change = item && rebased(item);
      if (!change) return item;
      const written = await update(change);
      if (written) onRebased?.(name);
      item = written ?? (await readStored());
    }
    return item;
  };
  const update = async (change: UpdateFields) => {
    const stored = await table.update(key, { ...toItemUpdate(change), once: true });
    return stored && remember(stored);
  };
  return {
    now,
    seen() {
      const item = remembered.get(name);
      return item && rebased(item) ? undefined : item;
    },
    read,
    update,
    async updateMarked(change, slot, before) {
      const stored = await table
        .update(key, { ...toItemUpdate(change), once: true })
        .catch((error) => afterLoss(error, () => table.get(key, { consistent: true }), slot, before));
      return stored && remember(stored);
    },
  };
}

/** What became of a write whose answer was lost. Rejects with its error where that cannot be found out. */
async function afterLoss(
  error: unknown,
  read: () => Promise<StoredItem | undefined>,
  { name, mark }: Slot,
  before: unknown,
): Promise<StoredItem | undefined> {
  if (error instanceof AwsError && error.isThrottling) throw error;
  const found = await read().catch(() => undefined);
  if (found?.[name] === mark) return found;
  // It did not take place, and may be tried again while the database answers.
  if (found && found[name] === before && !(error instanceof DatabaseUnresponsive)) return undefined;
  throw error;
}

/**
 * The marks by which a process finds out whether a write took place whose answer was lost. An item keeps the last mark of each of
 * a few slots.
 */
export interface Slot {
  /** The attribute. */
  readonly name: string;
  readonly mark: string;
}

/** Few, with short names: each write of the item is charged for all of it. */
const slots = 6;

export function slotOf(id: string): Slot {
  const hash = createHash('sha256').update(id).digest();
  return { name: `s${(hash[0] ?? 0) % slots}`, mark: hash.toString('base64url', 1, 7) };
}
