/** The head of a table. A click on a title sorts by it, a second one the other way round. */
import { Icon } from '../icon.tsx';
import type { Order } from './sort.ts';
import type { Column } from './table.tsx';

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

/** The classes of a column's cells. */
export const classOf = ({
  kind,
  wide,
}: {
  readonly kind?: 'number' | undefined;
  readonly wide?: boolean | undefined;
}) => [kind === 'number' && 'number', wide && 'wide'].filter(Boolean).join(' ') || undefined;
