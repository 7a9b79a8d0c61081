/** Sums of usage by group, in a stable order for paging. */
import { addTo, type Numbers } from '../../core/accounting/sums.ts';
import { maxTagName, type Tags, tagPrefix } from '../../core/accounting/tags.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';

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
type UsageGroup = Readonly<Partial<Record<Group, string>>>;

/** As groups. */
export const groupsOfTags = (tags: Tags = {}): UsageGroup =>
  Object.fromEntries(Object.entries(tags).map(([name, value]) => [`${tagPrefix}${name}`, value]));

/** The names of one group, in the order of `group_by`; null if the requests gave none. */
export type Names = readonly (string | null)[];

export interface Sum {
  readonly names: Names;
  readonly numbers: Numbers;
}

export interface Sums {
  /** `group`: the names by what they are of. */
  add(group: Readonly<Record<string, string | undefined>>, numbers: Numbers): void;
  size(): number;
  /** Sorted by their names. */
  sorted(): readonly Sum[];
  total(): Numbers;
}

export function createSums(groupBy: readonly string[]): Sums {
  const found = new Map<string, Sum & { readonly numbers: Record<string, number> }>();
  const total: Record<string, number> = {};
  return {
    add(group, numbers) {
      const names = groupBy.map((name) => group[name] ?? null);
      const id = JSON.stringify(names);
      const sum = found.get(id) ?? { names, numbers: {} };
      found.set(id, sum);
      addTo(sum.numbers, numbers);
      addTo(total, numbers);
    },
    size: () => found.size,
    sorted: () => [...found.values()].sort((one, other) => compare(one.names, other.names)),
    total: () => total,
  };
}

/** By code units, so that the order is the same for every page. Null comes first. */
function compare(one: Names, other: Names): number {
  for (const [position, name] of one.entries()) {
    const against = other[position] ?? null;
    if (name === against) continue;
    if (name === null) return -1;
    return against === null || name > against ? 1 : -1;
  }
  return 0;
}

interface Page {
  readonly groupBy: readonly string[];
  readonly limit: number;
  readonly after: Names | undefined;
}

/** Of sorted groups, those that follow `after`, at most `limit`. */
export function pageOf(sorted: readonly Sum[], { groupBy, limit, after }: Page) {
  const rest = sorted.filter(({ names }) => !after || compare(names, after) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rest.length > page.length;
  return { page, has_more: hasMore, next_after: hasMore && last ? writeCursor(groupBy, last.names) : null };
}

/** As members of a row. */
export const namesOf = (groupBy: readonly string[], names: Names) =>
  Object.fromEntries(groupBy.map((group, position) => [group, names[position] ?? null]));

/** A position in the order. It holds names only, not the tenant, which the API key determines. */
function writeCursor(groupBy: readonly string[], names: Names): string {
  return Buffer.from(JSON.stringify(namesOf(groupBy, names))).toString('base64url');
}

/** Undefined for a malformed cursor, or one of another grouping. */
function readCursor(groupBy: readonly string[], cursor: string): Names | undefined {
  const named = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (!isJsonObject(named) || Object.keys(named).join() !== groupBy.join()) return undefined;
  const names = groupBy.map((group) => named[group]);
  return names.every((name) => name === null || typeof name === 'string') ? names : undefined;
}

/** @throws GatewayError for a cursor that no page of this grouping has. */
export function readAfter(groupBy: readonly string[], after: string | undefined): Names | undefined {
  if (after === undefined) return undefined;
  const names = readCursor(groupBy, after);
  if (names) return names;
  const message = "'after' must be the 'next_after' of a page with the same 'group_by'.";
  throw new GatewayError('invalid_request', message, { param: 'after' });
}
