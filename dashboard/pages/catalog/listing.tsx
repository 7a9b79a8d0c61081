/** A part of the catalog: a list with a search, the panel of one entry, and the form of a new one. */
import type { ComponentChildren, ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import type { ReadList } from '../../api/use-read.ts';
import { Button } from '../../components/controls.tsx';
import { EmptyState } from '../../components/states.tsx';
import { type Column, ListTable } from '../../components/table/table.tsx';
import { change, query } from '../../state/location.ts';
import type { EditProps } from './stored.tsx';

interface ListingProps<Item> {
  /** `Models`, and one of them. */
  readonly title: string;
  readonly noun: string;
  readonly list: ReadList<Item>;
  readonly rows: readonly Item[] | undefined;
  readonly columns: readonly Column<Item>[];
  /** What the search looks in. */
  readonly textOf: (item: Item) => string;
  /** What it is for, where there is none. */
  readonly empty: string;
  // biome-ignore lint/suspicious/noExplicitAny: a new one has nothing that is shown.
  readonly Form: ComponentType<EditProps<any>>;
  readonly panel: (item: Item, onClose: () => void) => ComponentChildren;
}

export function Listing<Item extends { readonly id: string }>(props: ListingProps<Item>) {
  const { title, noun, list, rows, columns, textOf, empty, Form, panel } = props;
  const [isAdding, setAdding] = useState(false);
  const search = query.value.get('search') ?? '';
  const id = query.value.get('id');
  const words = search.toLowerCase().split(/\s+/);
  const found = rows?.filter((row) => words.every((word) => textOf(row).toLowerCase().includes(word)));
  const shown = rows?.find((row) => row.id === id);
  const add = (
    <Button kind="main" icon="plus" onClick={() => setAdding(true)}>
      New {noun}
    </Button>
  );
  return (
    <>
      <div class="head-row row row-wrap">
        <input
          class="input search"
          type="search"
          aria-label={`Search ${title.toLowerCase()}`}
          placeholder="Name, address or provider"
          value={search}
          onInput={({ currentTarget }) => change({ search: currentTarget.value || null }, { replace: true })}
        />
        {add}
      </div>
      <ListTable
        label={title}
        rows={found}
        list={list}
        columns={columns}
        csv={title.toLowerCase()}
        empty={
          <EmptyState title={search === '' ? `No ${title.toLowerCase()}` : `No such ${noun}`} icon="stack">
            <p>{search === '' ? empty : 'Nothing fits the search.'}</p>
          </EmptyState>
        }
      />
      {shown && panel(shown, () => change({ id: null }))}
      {isAdding && <Form onClose={() => setAdding(false)} />}
    </>
  );
}
