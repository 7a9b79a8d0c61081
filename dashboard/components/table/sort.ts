/** The order of a table's rows by one of its columns. */

export interface Order {
  readonly column: string;
  readonly isDown: boolean;
}

/** A copy in order. Values that are absent are last in both directions; equal ones keep their order. */
export function sorted<Row>(
  rows: readonly Row[],
  value: (row: Row) => unknown,
  isDown: boolean,
): readonly Row[] {
  return rows.toSorted((one, other) => {
    const [left, right] = [value(one), value(other)];
    if (isAbsent(left) || isAbsent(right)) return Number(isAbsent(left)) - Number(isAbsent(right));
    const order = compare(left, right);
    return isDown ? -order : order;
  });
}

const isAbsent = (value: unknown) => value === null || value === undefined || value === '';

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return String(left).localeCompare(String(right), 'en', { numeric: true });
}
