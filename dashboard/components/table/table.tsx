/**
 * A table: its head stays in sight, columns sort, rows open by click and by keyboard, and it can be saved as CSV. Ten thousand
 * rows scroll, since only those in sight are in the document.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReadList } from '../../api/use-read.ts';
import { Button } from '../controls.tsx';
import { ErrorState, Skeleton } from '../states.tsx';
import type { Column, RowLink } from './column.ts';
import { Head } from './head.tsx';
import { Row } from './row.tsx';
import { type Order, sorted, toCsv } from './rows.ts';
import { saveCsv } from './save.ts';
import { useRowWindow } from './use-row-window.ts';

interface TableProps<Item> {
  /** What it lists, for those who hear the page. */
  readonly label: string;
  /** Undefined while the first ones load. */
  readonly rows: readonly Item[] | undefined;
  readonly columns: readonly Column<Item>[];
  readonly rowKey: (item: Item) => string;
  readonly rowLink?: (item: Item) => RowLink | undefined;
  /** The row whose details are open. */
  readonly selected?: string | null;
  /** The name of the file; absent: it cannot be saved. */
  readonly csv?: string;
  /** Instead of the table where there are no rows. */
  readonly empty?: ComponentChildren;
  /** The list that the rows are of: further rows, and failures. */
  readonly list?: Pick<ReadList<Item>, 'error' | 'hasMore' | 'isLoadingMore' | 'more' | 'reload'>;
  /** The order at first; absent: as given. */
  readonly order?: Order;
  /** Beside the button for CSV. */
  readonly tools?: ComponentChildren;
}

export function Table<Item>(props: TableProps<Item>) {
  const { label, rows, rowKey, csv, empty, list, tools } = props;
  const columns = props.columns.filter((column, place) => place === 0 || isShown(column, rows));
  const [order, setOrder] = useState(props.order);
  const box = useRef<HTMLElement>(null);
  const by = columns.find(({ name }) => name === order?.column);
  const items = rows && by && order ? sorted(rows, by.value, order.isDown) : (rows ?? []);
  const { first, end, rowHeight } = useRowWindow(box, items.length);
  const focusRow = useFocusRow(box, items.length, rowHeight);
  const failure = list?.error && <ErrorState error={list.error} retry={list.reload} />;
  if (!rows) return failure ?? <Skeleton lines={8} />;
  if (rows.length === 0 && !list?.hasMore) return <>{failure ?? empty}</>;
  return (
    <div class="table">
      {failure}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which must be possible by keyboard. */}
      <section ref={box} class="table-box" aria-label={label} tabIndex={0}>
        <table aria-rowcount={items.length + 1} onKeyDown={focusRow}>
          <Head columns={columns} order={order} onOrder={setOrder} />
          <tbody>
            <Space height={first * rowHeight} columns={columns.length} />
            {items.slice(first, end).map((item, index) => (
              <Row
                key={rowKey(item)}
                item={item}
                index={first + index}
                columns={columns}
                link={props.rowLink?.(item)}
                isSelected={props.selected === rowKey(item)}
              />
            ))}
            <Space height={(items.length - end) * rowHeight} columns={columns.length} />
          </tbody>
        </table>
      </section>
      <div class="table-foot">
        <span class="quiet">{countOf(items.length, list?.hasMore ?? false)}</span>
        {list?.hasMore && (
          <Button size="small" isBusy={list.isLoadingMore} onClick={list.more}>
            Load more
          </Button>
        )}
        <span class="table-tools">
          {tools}
          {csv && (
            <Button
              size="small"
              kind="bare"
              icon="download"
              onClick={() =>
                saveCsv(
                  csv,
                  toCsv(
                    props.columns.filter(({ isAction }) => !isAction),
                    items,
                  ),
                )
              }
            >
              CSV
            </Button>
          )}
        </span>
      </div>
    </div>
  );
}

/** A column that nothing is in takes no room; the saved file has it. */
const isShown = <Item,>({ hidden, value, isAction }: Column<Item>, rows: readonly Item[] | undefined) =>
  !hidden && (isAction || rows === undefined || rows.some((row) => (value(row) ?? '') !== ''));

const countOf = (count: number, hasMore: boolean) =>
  `${count.toLocaleString('en')}${hasMore ? '+' : ''} ${count === 1 && !hasMore ? 'row' : 'rows'}`;

/** In place of rows that are not in the document. */
const Space = ({ height, columns }: { readonly height: number; readonly columns: number }) =>
  height > 0 ? (
    <tr class="space" style={{ height: `${height}px` }}>
      <td colSpan={columns} />
    </tr>
  ) : null;

/** Arrow keys go from row to row, also to rows that are not in the document yet. */
function useFocusRow(box: { readonly current: HTMLElement | null }, count: number, rowHeight: number) {
  const wanted = useRef<number | undefined>(undefined);
  const [, again] = useState(0);
  const focus = (index: number) => {
    const link = box.current?.querySelector<HTMLElement>(`tr[data-index="${index}"] a`);
    link?.focus({ preventScroll: true });
    return link !== null && link !== undefined;
  };
  useEffect(() => {
    // A row that is far away is in the document only after the box has scrolled.
    if (wanted.current !== undefined && focus(wanted.current)) wanted.current = undefined;
  });
  return (event: KeyboardEvent) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('tr[data-index]');
    if (!row || !box.current) return;
    const index = wanted.current ?? Number(row.dataset.index);
    const page = Math.max(1, Math.floor(box.current.clientHeight / rowHeight) - 2);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: count - 1,
    };
    const asked = steps[event.key];
    if (asked === undefined) return;
    event.preventDefault();
    const target = Math.max(0, Math.min(count - 1, asked));
    keepInSight(box.current, target, rowHeight);
    wanted.current = focus(target) ? undefined : target;
    again((times) => times + 1);
  };
}

/** The head covers the first row's height. */
function keepInSight(box: HTMLElement, index: number, rowHeight: number): void {
  const top = index * rowHeight;
  const bottom = top + 2 * rowHeight;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
}
