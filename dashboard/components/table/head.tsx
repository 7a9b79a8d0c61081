/** The head of a table. A click on a title sorts by it, a second one the other way round. */
import { Icon } from '../icon.tsx';
import { type Column, classOf } from './column.ts';
import type { Order } from './rows.ts';

interface HeadProps<Item> {
  readonly columns: readonly Column<Item>[];
  readonly order: Order | undefined;
  readonly onOrder: (order: Order) => void;
}

export const Head = <Item,>({ columns, order, onOrder }: HeadProps<Item>) => (
  <thead>
    <tr>
      {columns.map(({ name, title, kind, wide, width, sort }) => {
        const isBy = order?.column === name;
        const next = { column: name, isDown: isBy ? !order.isDown : kind === 'number' };
        return (
          <th
            key={name}
            scope="col"
            class={classOf({ kind, wide })}
            style={width ? { width } : undefined}
            aria-sort={isBy ? (order.isDown ? 'descending' : 'ascending') : undefined}
          >
            {sort === false ? (
              title
            ) : (
              <button type="button" class="sort" onClick={() => onOrder(next)}>
                {title}
                {isBy && <Icon name={order.isDown ? 'down' : 'up'} />}
              </button>
            )}
          </th>
        );
      })}
    </tr>
  </thead>
);
