/**
 * A table: its head stays in sight, columns sort, rows open by click and by keyboard, and it can be saved as CSV. Ten thousand
 * rows scroll, since only those in sight are in the document.
 */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { asError } from '../../api/api-error.ts';
import type { ReadList } from '../../api/use-read.ts';
import { counted } from '../../format/numbers.ts';
import { addressOf, navigate, pageName, query } from '../../state/location.ts';
import type { Changes } from '../../state/query.ts';
import { Button } from '../controls.tsx';
import { Icon } from '../icon.tsx';
import { isPlain } from '../link.tsx';
import { ErrorState, Skeleton } from '../states.tsx';
import { toast } from '../toast.tsx';
import { sorted, toCsv } from './rows.ts';
import { useLongSearch } from './use-long-search.ts';
import { type Order, useOrder } from './use-order.ts';
import { useFocusRow, useRowWindow } from './use-row-window.ts';

export interface Column<Item> {
  readonly name: string;
  readonly title: string;
  /** For sorting and CSV: a number, a text or null. */
  readonly value: (item: Item) => unknown;
  /** What is shown; the value if absent. */
  readonly cell?: (item: Item) => ComponentChildren;
  /** Numbers are at the right. */
  readonly kind?: 'number';
  /** Left out where there is little room. */
  readonly wide?: boolean;
  /** Only in the file that is saved. */
  readonly hidden?: true;
  /** It holds what can be done with a row, and is in no file. */
  readonly isAction?: true;
  /** False: not at all. A text: the API sorts by it, of all pages. */
  readonly sort?: false | string;
  /** A CSS length. */
  readonly width?: string;
}

/** Where a row leads: a page, or the open page with other parameters. */
export interface RowLink {
  readonly to?: string;
  readonly with?: Changes;
}

/** The classes of a column's cells. */
export const classOf = ({
  kind,
  wide,
}: {
  readonly kind?: 'number' | undefined;
  readonly wide?: boolean | undefined;
}) => [kind === 'number' && 'number', wide && 'wide'].filter(Boolean).join(' ') || undefined;

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
  /** The name of the file in which it is saved. */
  readonly csv: string;
  /** Instead of the table where there are no rows. */
  readonly empty?: ComponentChildren;
  /** The list that the rows are of: further rows, and failures. */
  readonly list?: Pick<ReadList<Item>, 'error' | 'hasMore' | 'isLoadingMore' | 'more' | 'all' | 'retry'>;
}

export function Table<Item>(props: TableProps<Item>) {
  const { label, rows, rowKey, csv, empty, list } = props;
  const columns = props.columns.filter((column, place) => place === 0 || isShown(column, rows));
  const [order, setOrder] = useOrder(props.columns);
  const [isSaving, setSaving] = useState(false);
  const search = useLongSearch(list, rows?.length);
  const box = useRef<HTMLElement>(null);
  const by = columns.find(({ name }) => name === order?.column);
  const isSortedHere = by && typeof by.sort !== 'string' && !list?.hasMore;
  const items = rows && isSortedHere && order ? sorted(rows, by.value, order.isDown) : (rows ?? []);
  const { first, end, rowHeight } = useRowWindow(box, items.length);
  const focusRow = useFocusRow(box, items.length, rowHeight);
  const failure = list?.error && <ErrorState error={list.error} retry={list.retry} />;
  if (!rows) return failure ?? <Skeleton lines={8} />;
  if (rows.length === 0 && !list?.hasMore) return <>{failure ?? empty}</>;
  const save = async () => {
    const saved = props.columns.filter(({ isAction }) => !isAction);
    if (!list?.hasMore) return saveCsv(csv, toCsv(saved, items));
    setSaving(true);
    try {
      const { rows: found, areAll } = await list.all();
      saveCsv(csv, toCsv(saved, found));
      if (!areAll)
        toast(`The file has the first ${counted(found.length, 'row')}: choose a shorter time.`, 'bad');
    } catch (thrown) {
      toast(`The file was not saved: ${asError(thrown).message}`, 'bad');
    } finally {
      setSaving(false);
    }
  };
  return (
    <div class="table">
      {failure}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which must be possible by keyboard. */}
      <section ref={box} class="table-box" aria-label={label} tabIndex={0}>
        <table aria-rowcount={items.length + 1} onKeyDown={focusRow}>
          <Head columns={columns} order={order} hasMore={list?.hasMore === true} onOrder={setOrder} />
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
      <div class="table-foot row row-wrap">
        <span class="quiet">
          {countOf(items.length, list?.hasMore ?? false)}
          {list?.hasMore && '. Load all to sort by any column.'}
        </span>
        {search.goesOn ? (
          <Button size="small" icon="stop" onClick={search.stop}>
            Stop the search
          </Button>
        ) : (
          list?.hasMore && (
            <Button size="small" isBusy={list.isLoadingMore} onClick={list.more}>
              Load more
            </Button>
          )
        )}
        <span class="table-tools">
          <Button size="small" kind="bare" icon="download" isBusy={isSaving} onClick={save}>
            CSV
          </Button>
        </span>
      </div>
    </div>
  );
}

interface ListTableProps<Item> extends Omit<TableProps<Item>, 'rowKey' | 'selected' | 'rows'> {
  readonly list: ReadList<Item>;
  /** Those of the list that are shown; absent: all. */
  readonly rows?: readonly Item[] | undefined;
}

/** A list of the API. Its rows lead to their details, by their ids in the URL. */
export const ListTable = <Item extends { readonly id: string }>(props: ListTableProps<Item>) => (
  <Table
    rows={props.list.rows}
    rowKey={({ id }) => id}
    rowLink={({ id }) => ({ with: { id } })}
    selected={query.value.get('id')}
    {...props}
  />
);

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

interface HeadProps<Item> {
  readonly columns: readonly Column<Item>[];
  readonly order: Order | undefined;
  /** Then only the API can sort. */
  readonly hasMore: boolean;
  readonly onOrder: (order: Order) => void;
}

const Head = <Item,>({ columns, order, hasMore, onOrder }: HeadProps<Item>) => (
  <thead>
    <tr>
      {columns.map(({ name, title, kind, wide, width, sort }) => {
        const isBy = order?.column === name && (!hasMore || sort !== undefined);
        const next = { column: name, isDown: isBy ? !order.isDown : kind === 'number' };
        return (
          <th
            key={name}
            scope="col"
            class={classOf({ kind, wide })}
            style={width ? { width } : undefined}
            aria-sort={isBy ? (order.isDown ? 'descending' : 'ascending') : undefined}
          >
            {sort === false || (hasMore && sort === undefined) ? (
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

interface RowProps<Item> {
  readonly item: Item;
  readonly index: number;
  readonly columns: readonly Column<Item>[];
  readonly link: RowLink | undefined;
  readonly isSelected: boolean;
}

function Row<Item>({ item, index, columns, link, isSelected }: RowProps<Item>) {
  const address = link && addressOf(link.to ?? pageName.value, link.with);
  const follow = (event: MouseEvent & { currentTarget: HTMLElement }) => {
    if (!address || event.defaultPrevented || !isPlain(event)) return;
    // What a cell holds may have a meaning of its own, and a selected text is to be copied.
    const inside = (event.target as HTMLElement).closest('a, button, input, label');
    if (inside && inside !== event.currentTarget.querySelector('td:first-child > a')) return;
    if (getSelection()?.type === 'Range') return;
    event.preventDefault();
    navigate(address);
    event.currentTarget.querySelector<HTMLElement>('td:first-child > a')?.focus({ preventScroll: true });
  };
  return (
    // The link in the first cell takes the keys.
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={isSelected || undefined}
      class={address ? 'is-link' : undefined}
      onClick={follow}
    >
      {columns.map((column, place) => {
        const shown: ComponentChildren = column.cell ? column.cell(item) : textOf(column.value(item));
        return (
          <td key={column.name} class={classOf(column)}>
            {address && place === 0 ? <a href={address}>{shown}</a> : shown}
          </td>
        );
      })}
    </tr>
  );
}

function textOf(value: unknown): ComponentChildren {
  if (value === null || value === undefined || value === '') return <span class="quiet">–</span>;
  return typeof value === 'number' ? value.toLocaleString('en') : String(value);
}

/** A mark by which spreadsheets know that a file is UTF-8. */
const byteOrderMark = '\ufeff';

/** @param name Without the date and the ending. */
function saveCsv(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([byteOrderMark, text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name}-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
