/** One page of rows that are in memory. */
import { refusalOf } from './reach.ts';

/** Begins after the row with the id `after`, which must be among them. */
export function pageOf<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
) {
  const start = after === undefined ? 0 : rows.findIndex((row) => idOf(row) === after) + 1;
  if (after !== undefined && start === 0)
    throw refusalOf('after', "'after' names nothing in this list: start again without it.");
  const page = rows.slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = start + limit < rows.length;
  return { page, has_more: hasMore, next_after: hasMore && last !== undefined ? idOf(last) : null };
}
