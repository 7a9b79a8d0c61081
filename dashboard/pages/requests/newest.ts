/** What a later reading of the newest requests adds to a list of them. */
import type { RequestRow } from '../../../lib/admin/requests/schema.ts';

export interface Newest {
  /** The list with what is known by now of its rows: those that were running have ended. */
  readonly rows: readonly RequestRow[];
  /** Requests that the list does not have, the newest first. */
  readonly added: readonly RequestRow[];
}

export function compareNewest(rows: readonly RequestRow[], later: readonly RequestRow[]): Newest {
  const found = new Map(later.map((row) => [row.id, row]));
  const known = new Set(rows.map(({ id }) => id));
  return {
    rows: rows.map((row) => found.get(row.id) ?? row),
    added: later.filter(({ id }) => !known.has(id)),
  };
}

/** The list with further requests in their places, the newest first. */
export function letIn(rows: readonly RequestRow[], added: readonly RequestRow[]): readonly RequestRow[] {
  if (added.length === 0) return rows;
  const known = new Set(rows.map(({ id }) => id));
  return [...added.filter(({ id }) => !known.has(id)), ...rows].sort(
    (one, two) => two.created_at - one.created_at,
  );
}

/** In seconds. A list of those that ended gets one that ends later than a newer one. */
const defaultLength = 120;

/** In seconds. A request that is open for longer is not looked at again. */
const longestOpen = 900;

/** From which time, in Unix seconds, a later reading has what can have changed; undefined for an empty list. */
export function changedSince(rows: readonly RequestRow[], now: number): number | undefined {
  const newest = rows[0]?.created_at;
  const open = rows
    .filter(({ status, created_at: at }) => status === 'open' && at > now - longestOpen)
    .map(({ created_at: at }) => at);
  return newest === undefined ? undefined : Math.floor(Math.min(newest - defaultLength, ...open));
}
