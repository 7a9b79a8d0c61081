/**
 * How far an item has seen a stream of changes. A batch of a stream may come again, in whole or in part; an item that adds up changes
 * keeps the position of the last one for each shard of the stream, in the same write, so that each change counts once.
 *
 * Within a shard changes come in order the first time. Positions of different shards cannot be compared.
 */
import { createHash } from 'node:crypto';
import type { StreamBatch } from '../../core/accounting/journal.ts';
import type { StoredItem } from './table.ts';
import type { Path, UpdateCondition, UpdateFields } from './update-expression.ts';

const prefix = 'seen#';

/** Short: the names of a shard are long, and each write is charged for the whole item. */
const attributeOf = (shard: string): string =>
  prefix + createHash('sha256').update(shard).digest('base64url').slice(0, 10);

/** Numbers of up to 40 digits as text that sorts as they do. */
const sortable = (sequence: string): string => {
  const digits = sequence.replace(/^0+(?=\d)/, '');
  return `${String(digits.length).padStart(2, '0')}${digits}`;
};

/** Whether a position comes after another one of the same shard. */
export const isAfter = (one: string, other: string): boolean => sortable(one) > sortable(other);

/** To be joined with the fields of an update that adds changes from `first` to `last`: it takes place if none was seen. */
export function watermarkOf(
  { shard, now }: StreamBatch,
  { first, last }: { readonly first: string; readonly last: string },
): { readonly set: readonly [Path, string]; readonly where: UpdateCondition } {
  const path = [attributeOf(shard)];
  return {
    // The time comes last, so that a value is greater than its own position alone.
    set: [path, `${sortable(last)}@${Math.floor(now / 1000)}`],
    where: { path, absentOr: '<', value: sortable(first) },
  };
}

/** Whether an item has seen a position. */
export function hasSeen(item: StoredItem | undefined, { shard }: StreamBatch, sequence: string): boolean {
  const seen = item?.[attributeOf(shard)];
  return typeof seen === 'string' && seen >= sortable(sequence);
}

/** A stream keeps a change for 24 hours. What was seen longer ago cannot come again. */
const forgottenAfterSeconds = 26 * 3_600;

/** Fewer than this are not worth a write. */
const worthRemoving = 4;

/** Removes the positions of shards that ended long ago; undefined if there are few. */
export function forgetting(item: StoredItem, { now }: StreamBatch): UpdateFields | undefined {
  const old = Object.entries(item).filter(([name, value]) => {
    const at = name.startsWith(prefix) && typeof value === 'string' ? value.split('@')[1] : undefined;
    return at !== undefined && Number(at) + forgottenAfterSeconds < now / 1000;
  });
  if (old.length < worthRemoving) return undefined;
  return {
    remove: old.map(([name]) => [name]),
    where: old.map(([name, value]) => ({ path: [name], is: '=', value })),
  };
}
