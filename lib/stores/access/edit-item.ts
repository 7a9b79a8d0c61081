/**
 * Changes an item on condition that what changes is still what was read, so that no change is lost and it is known exactly what was
 * there before.
 */
import { GatewayError } from '../../core/errors/errors.ts';
import { partitionKey } from '../../core/tables.ts';
import type { StoredItem, Table } from '../dynamodb/table.ts';
import { isStill, toItemUpdate } from '../dynamodb/update-expression.ts';

/** Tries of one change, each after another user was faster. */
export const maxEditTries = 5;

/** Counts the changes of lists and maps, which conditions do not compare: the local database cannot. */
const listsVersion = 'lists_version';

export interface Edited {
  readonly before: StoredItem;
  readonly after: StoredItem;
}

/** The attributes to set, and null for those to remove. It may throw. */
type Decide = (item: StoredItem) => StoredItem;

/** Undefined if there is no such item. Rejects with LaterItem, with GatewayError `conflict`, and with what `decide` throws. */
export async function editItem(items: Table, key: string, decide: Decide): Promise<Edited | undefined> {
  for (let tries = 0; tries < maxEditTries; tries += 1) {
    const before = await items.get(key, { consistent: true });
    if (!before) return undefined;
    const given = Object.entries(decide(before)).filter(([, value]) => value !== undefined);
    const changed = given.filter(([name, value]) => !isSame(value, before[name] ?? null));
    if (changed.length === 0) return { before, after: before };
    const after = await items.update(key, updateOf(before, given, changed));
    if (after) return { before, after };
  }
  throw new GatewayError('conflict', 'It was changed by others at the same time. Look at it and try again.');
}

type Field = readonly [name: string, value: unknown];

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What is given as it was is not written, but must still be so. */
function updateOf(before: StoredItem, given: readonly Field[], changed: readonly Field[]) {
  const isList = ([name, value]: Field) => isObject(value) || isObject(before[name]);
  const single = given.filter((field) => !isList(field)).map(([name]) => name);
  const counted = given.some(isList) ? [listsVersion] : [];
  return toItemUpdate({
    set: changed.flatMap(([name, value]) => (value === null ? [] : [[[name], value] as const])),
    remove: changed.flatMap(([name, value]) => (value === null ? [[name]] : [])),
    add: changed.some(isList) ? [[listsVersion, 1]] : [],
    where: [
      { path: [partitionKey], exists: true },
      ...[...single, ...counted].map((name) => isStill(name, before[name])),
    ],
  });
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
