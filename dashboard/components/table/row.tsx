/** One row of a table. Its link is in the first cell; a click anywhere follows it. */
import type { ComponentChildren } from 'preact';
import { addressOf, navigate, pageName } from '../../state/location.ts';
import { isPlain } from '../link.tsx';
import { type Column, classOf, type RowLink } from './column.ts';

interface RowProps<Item> {
  readonly item: Item;
  readonly index: number;
  readonly columns: readonly Column<Item>[];
  readonly link: RowLink | undefined;
  readonly isSelected: boolean;
}

export function Row<Item>({ item, index, columns, link, isSelected }: RowProps<Item>) {
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
