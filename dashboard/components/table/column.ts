/** The columns of a table, and where its rows lead. */
import type { ComponentChildren } from 'preact';
import type { Changes } from '../../state/query.ts';

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
  readonly sort?: false;
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
