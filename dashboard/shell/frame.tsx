/** Navigation beside the open page, and the bar above it. It stands at once; who is signed in follows. */
import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../api/session.ts';
import { IconButton } from '../components/controls.tsx';
import { EmptyState } from '../components/states.tsx';
import { type PageRow, pagesOf } from '../pages/pages.ts';
import { addressOf, change, group, navigate, pageName } from '../state/location.ts';
import { groupNames } from '../state/query.ts';
import { FilterBar, FilterButton } from './filters.tsx';
import { LoadedPage } from './loaded-page.tsx';
import { Navigation } from './navigation.tsx';
import { RangePicker } from './range-picker.tsx';

export function Frame({ session }: { readonly session: Session | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const pages = session ? pagesOf(session.role) : [];
  const name = pageName.value;
  const page = pages.find((one) => one.name === name);
  const first = pages[0]?.name;
  useEffect(() => {
    if (name === '' && first) navigate(addressOf(first), true);
  }, [name, first]);
  useEffect(() => {
    document.title = page ? `${page.title} · Model gateway` : 'Model gateway';
    setOpen(false);
  }, [page]);
  return (
    <div class="frame">
      <a class="skip" href="#page">
        Skip to the page
      </a>
      <Navigation session={session} pages={pages} isOpen={isOpen} close={() => setOpen(false)} />
      <div class="column">
        <header class="bar">
          <span class="bar-menu">
            <IconButton
              icon="menu"
              label="Menu"
              aria-expanded={isOpen}
              aria-controls="navigation"
              onClick={() => setOpen(!isOpen)}
            />
          </span>
          <h1>{page?.title ?? (session ? 'Not found' : '')}</h1>
          {session && page && <Controls page={page} session={session} />}
        </header>
        <main id="page" tabIndex={-1}>
          <Opened page={page} session={session} />
        </main>
      </div>
    </div>
  );
}

interface OpenedProps {
  readonly page: PageRow | undefined;
  readonly session: Session | undefined;
}

function Opened({ page, session }: OpenedProps) {
  if (!session) return null;
  if (page) return <LoadedPage key={page.name} page={page} session={session} />;
  if (pageName.value === '') return null;
  return <EmptyState title="There is no such page">Choose one of the pages in the menu.</EmptyState>;
}

export function Controls({ page, session }: { readonly page: PageRow; readonly session: Session }) {
  const has = (control: PageRow['controls'][number]) => page.controls.includes(control);
  const groups = groupNames.filter((name) => name !== 'tenant' || session.role === 'operator');
  return (
    <>
      <div class="controls">
        {has('group') && (
          <label class="control">
            <span aria-hidden="true">By</span>
            <select
              aria-label="Group by"
              value={group.value}
              onChange={({ currentTarget }) => change({ by: currentTarget.value })}
            >
              {groups.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <FilterButton session={session} page={page} />
        {has('range') && <RangePicker />}
      </div>
      <FilterBar page={page} />
    </>
  );
}
