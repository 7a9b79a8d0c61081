/** Sums of usage by group, in a stable order for paging. */
import { addCounts, type Counts, toCounts } from '../../core/accounting/counters.ts';
import { maxTagName, type Tags, tagPrefix } from '../../core/accounting/tags.ts';
import { isJsonObject } from '../../core/json-object.ts';

/** What usage can be grouped by. */
export const groups = ['day', 'model', 'key', 'user', 'session'] as const;
type NamedGroup = (typeof groups)[number];

/** `tag:team`: the value of the tag `team`. */
export type TagGroup = `${typeof tagPrefix}${string}`;

export type Group = NamedGroup | TagGroup;

export const isTagGroup = (name: unknown): name is TagGroup =>
  typeof name === 'string' &&
  name.startsWith(tagPrefix) &&
  name.length > tagPrefix.length &&
  name.length <= tagPrefix.length + maxTagName;

export const isGroup = (name: unknown): name is Group =>
  groups.some((group) => group === name) || isTagGroup(name);

/** Whether only the ledger knows it: the daily sums do not have it. */
export const needsLedger = (group: Group): boolean =>
  group === 'user' || group === 'session' || isTagGroup(group);

/** For messages. */
export const groupNames: readonly string[] = [...groups, `${tagPrefix}<name>`];

/** The groups that some usage belongs to; absent if the request did not give one. */
export type UsageGroup = Readonly<Partial<Record<Group, string>>>;

/** As groups. */
export const groupsOfTags = (tags: Tags = {}): UsageGroup =>
  Object.fromEntries(Object.entries(tags).map(([name, value]) => [`${tagPrefix}${name}`, value]));

/** The names of one group, in the order of `group_by`; null if the requests gave none. */
type Names = readonly (string | null)[];

export interface Sum {
  readonly names: Names;
  readonly counts: Counts;
}

export interface Sums {
  add(group: UsageGroup, counts: Counts): void;
  size(): number;
  /** Sorted by their names. */
  sorted(): readonly Sum[];
  total(): Counts;
}

export function createSums(groupBy: readonly Group[]): Sums {
  const found = new Map<string, Sum>();
  let total = toCounts();
  return {
    add(group, counts) {
      const names = groupBy.map((name) => group[name] ?? null);
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

/** By code units, so that the order is the same for every page. Null comes first. */
export function compare(one: Names, other: Names): number {
  for (const [position, name] of one.entries()) {
    const against = other[position] ?? null;
    if (name === against) continue;
    if (name === null) return -1;
    return against === null || name > against ? 1 : -1;
  }
  return 0;
}

/** A position in the order. It holds names only, not the tenant, which the API key determines. */
export function writeCursor(groupBy: readonly Group[], names: Names): string {
  const named = Object.fromEntries(groupBy.map((group, position) => [group, names[position] ?? null]));
  return Buffer.from(JSON.stringify(named)).toString('base64url');
}

/** Undefined for a malformed cursor, or one of another grouping. */
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
