/** Navigation beside the open page, and the bar above it. It stands at once; who is signed in follows. */

import { Component, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PageProps, Session } from '../api/session.ts';
import { IconButton } from '../components/controls.tsx';
import { Popover } from '../components/popover.tsx';
import { EmptyState, ErrorState, Skeleton } from '../components/states.tsx';
import { type PageRow, pagesOf } from '../pages/pages.ts';
import { addressOf, change, group, navigate, pageName } from '../state/location.ts';
import { type GroupName, groupNames, isTag, tagPrefix } from '../state/query.ts';
import { reloadForNewVersion } from './deployments.ts';
import { FilterBar, FilterButton, PrintedRange, RangePicker } from './filters.tsx';
import { Navigation } from './navigation.tsx';
import { PaletteButton, PaletteWindow } from './palette/palette-button.tsx';
import { Views } from './views.tsx';

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
        <header class="bar row row-wrap">
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
          {session && <PaletteButton />}
          {session && page && (
            <Popover label={<span class="wide">View</span>} title="Link and saved views" icon="link">
              {(close) => <Views session={session} close={close} />}
            </Popover>
          )}
          {session && page && <Controls page={page} session={session} />}
        </header>
        <main id="page" tabIndex={-1}>
          <Opened page={page} session={session} />
        </main>
        {session && <PaletteWindow session={session} />}
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

function Controls({ page, session }: { readonly page: PageRow; readonly session: Session }) {
  const has = (control: PageRow['controls'][number]) => page.controls.includes(control);
  const groups = groupNames.filter((name) => mayGroup(name, session));
  return (
    <>
      <div class="controls row row-wrap">
        {has('group') && (
          <label class="control row">
            <span aria-hidden="true">By</span>
            <select
              aria-label="Group by"
              value={isTag(group.value) ? tagPrefix : group.value}
              onChange={({ currentTarget }) => change({ by: currentTarget.value, search: null })}
            >
              {groups.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
              <option value={tagPrefix}>tag</option>
            </select>
          </label>
        )}
        <FilterButton session={session} page={page} />
        {has('range') && <RangePicker />}
      </div>
      <FilterBar page={page} />
      {has('range') && <PrintedRange />}
    </>
  );
}

/** Tenants are for operators; users are counted for a whole tenant only, which members do not see. */
const mayGroup = (name: GroupName, { role }: Session): boolean =>
  name === 'tenant' ? role === 'operator' : name !== 'user' || role !== 'member';

const loaded = new Map<string, ComponentType<PageProps>>();

function LoadedPage({ page, session }: PageProps & { readonly page: PageRow }) {
  const [, setLoaded] = useState(loaded.has(page.name));
  const [error, setError] = useState<Error>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    page.load().then(
      ({ Page }) => {
        loaded.set(page.name, Page);
        setError(undefined);
        setLoaded(true);
      },
      async () => {
        if (!(await reloadForNewVersion())) setError(new Error('This part of the page could not be loaded.'));
      },
    );
  }, [page, attempt]);
  const Page = loaded.get(page.name);
  if (error) return <ErrorState error={error} retry={() => setAttempt(attempt + 1)} />;
  if (!Page) return <Skeleton lines={6} />;
  return (
    <Boundary>
      <Page session={session} />
    </Boundary>
  );
}

/** A mistake in a page's code must not take the navigation away. */
class Boundary extends Component<object, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  override componentDidCatch(error: Error): void {
    this.setState({ error });
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return <ErrorState error={error} retry={() => this.setState({ error: undefined })} />;
  }
}
