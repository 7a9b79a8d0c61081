/** Sums of usage by what the caller wants told apart, in an order in which they can be told page by page. */
import { addCounts, type Counts, toCounts } from '../../core/accounting/counters.ts';
import { isJsonObject } from '../../core/json-object.ts';

/** What usage can be told apart by. */
export const groups = ['day', 'model', 'key', 'user', 'session'] as const;
export type Group = (typeof groups)[number];

export const isGroup = (name: unknown): name is Group => groups.some((group) => group === name);

/** Where some usage belongs; what a request did not say is absent. */
export type Place = Readonly<Partial<Record<Group, string>>>;

/** The names of one group, in the order in which it was asked for; null: the requests did not say. */
type Names = readonly (string | null)[];

export interface Sum {
  readonly names: Names;
  readonly counts: Counts;
}

export interface Sums {
  add(place: Place, counts: Counts): void;
  size(): number;
  /** In the order of their names. */
  sorted(): readonly Sum[];
  total(): Counts;
}

export function createSums(groupBy: readonly Group[]): Sums {
  const found = new Map<string, Sum>();
  let total = toCounts();
  return {
    add(place, counts) {
      const names = groupBy.map((group) => place[group] ?? null);
      const id = JSON.stringify(names);
      const known = found.get(id);
      found.set(id, { names, counts: known ? addCounts(known.counts, counts) : counts });
      total = addCounts(total, counts);
    },
    size: () => found.size,
    sorted: () => [...found.values()].sort((one, other) => compare(one.names, other.names)),
    total: () => total,
  };
}

/** By code units, so that every page agrees on the order; null comes first. */
export function compare(one: Names, other: Names): number {
  for (const [position, name] of one.entries()) {
    const against = other[position] ?? null;
    if (name === against) continue;
    if (name === null) return -1;
    return against === null || name > against ? 1 : -1;
  }
  return 0;
}

/** A place in the order. It holds names alone: whose usage is told, the key decides. */
export function writeCursor(groupBy: readonly Group[], names: Names): string {
  const named = Object.fromEntries(groupBy.map((group, position) => [group, names[position] ?? null]));
  return Buffer.from(JSON.stringify(named)).toString('base64url');
}

/** Undefined for what is no cursor of this grouping. */
export function readCursor(groupBy: readonly Group[], cursor: string): Names | undefined {
  const named = parse(Buffer.from(cursor, 'base64url').toString());
  if (!isJsonObject(named) || Object.keys(named).join() !== groupBy.join()) return undefined;
  const names = groupBy.map((group) => named[group]);
  return names.every((name) => name === null || typeof name === 'string') ? names : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
