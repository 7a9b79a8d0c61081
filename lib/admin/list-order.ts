/** One page of rows that are in memory, in an order that the query chooses. A page begins after a position, not after a row: amounts change between pages. */
import { isJsonObject } from '../core/formats/json-object.ts';
import { parseJson } from '../core/formats/parse-json.ts';
import { refusalOf } from './reach.ts';

export interface ListOrder {
  readonly sort: string;
  readonly order: 'asc' | 'desc';
}

/** Null and undefined: unknown, which comes last in both directions. */
type Value = string | number | null | undefined;

interface Position {
  readonly value: Value;
  readonly id: string;
}

const collator = new Intl.Collator('en', { numeric: true });

function compareValues(one: Value, other: Value): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return collator.compare(String(one), String(other));
}

const isUnknown = (value: Value) => value === null || value === undefined;

function compare(one: Position, other: Position, { order }: ListOrder): number {
  const unknown = Number(isUnknown(one.value)) - Number(isUnknown(other.value));
  if (unknown !== 0) return unknown;
  const byValue = isUnknown(one.value) ? 0 : compareValues(one.value, other.value);
  if (byValue !== 0) return order === 'desc' ? -byValue : byValue;
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}

interface Asked<Row> extends ListOrder {
  readonly idOf: (row: Row) => string;
  readonly valueIn: (row: Row) => Value;
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Rows of equal values are by id. Throws GatewayError for a cursor of another order. */
export function orderedPage<Row>(rows: readonly Row[], asked: Asked<Row>) {
  const { idOf, valueIn, after, limit } = asked;
  const start = after === undefined ? undefined : readCursor(after, asked);
  const rest = rows
    .map((row) => ({ row, id: idOf(row), value: valueIn(row) }))
    .filter((position) => !start || compare(position, start, asked) > 0)
    .sort((one, other) => compare(one, other, asked));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rest.length > limit;
  return {
    page: page.map(({ row }) => row),
    has_more: hasMore,
    next_after: hasMore && last ? writeCursor(last, asked) : null,
  };
}

const writeCursor = ({ value = null, id }: Position, { sort, order }: ListOrder): string =>
  Buffer.from(JSON.stringify({ sort, order, value, id })).toString('base64url');

function readCursor(cursor: string, { sort, order }: ListOrder): Position {
  const read = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (isJsonObject(read) && read.sort === sort && read.order === order && typeof read.id === 'string') {
    const { value, id } = read;
    if (value === null || typeof value === 'string' || typeof value === 'number') return { value, id };
  }
  throw refusalOf('after', "'after' must be the 'next_after' of a page in the same order.");
}
