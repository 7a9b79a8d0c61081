/** The order of a table: that of a list which the API sorts is in the URL, so that it outlives a reload; any other is the table's own. */
import { useState } from 'preact/hooks';
import { change, query } from '../../state/location.ts';

export interface Order {
  /** The name of a column. */
  readonly column: string;
  readonly isDown: boolean;
}

interface Sortable {
  readonly name: string;
  readonly sort?: false | string;
}

const isOfApi = ({ sort }: Sortable) => typeof sort === 'string';

export function useOrder(columns: readonly Sortable[]): readonly [Order | undefined, (order: Order) => void] {
  const own = useState<Order>();
  return columns.some(isOfApi) ? [orderIn(query.value, columns), setInUrl] : own;
}

function setInUrl({ column, isDown }: Order): void {
  change({ sort: column, order: isDown ? 'desc' : 'asc' }, { replace: true });
}

function orderIn(parameters: URLSearchParams, columns: readonly Sortable[]): Order | undefined {
  const column = columns.find(({ name, sort }) => name === parameters.get('sort') && sort !== false);
  return column && { column: column.name, isDown: parameters.get('order') === 'desc' };
}

/** What the API is asked for: nothing, where it cannot sort by the column of the URL. */
export function orderQuery(
  columns: readonly Sortable[],
): Readonly<Record<'sort' | 'order', string | undefined>> {
  const order = orderIn(query.value, columns);
  const sort = columns.find(({ name }) => name === order?.column)?.sort;
  return typeof sort === 'string' && order
    ? { sort, order: order.isDown ? 'desc' : 'asc' }
    : { sort: undefined, order: undefined };
}
