/** Navigation beside the open page. It stands at once; who is signed in follows. */
import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../api/session.ts';
import { IconButton } from '../components/button.tsx';
import { EmptyState } from '../components/states.tsx';
import { type PageRow, pagesOf } from '../pages/pages.ts';
import { addressOf, navigate, pageName } from '../state/location.ts';
import { Controls } from './controls.tsx';
import { LoadedPage } from './loaded-page.tsx';
import { Navigation } from './navigation.tsx';

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
          <Opened page={page} isKnown={session !== undefined} />
        </main>
      </div>
    </div>
  );
}

function Opened({ page, isKnown }: { readonly page: PageRow | undefined; readonly isKnown: boolean }) {
  if (page) return <LoadedPage key={page.name} page={page} />;
  if (!isKnown || pageName.value === '') return null;
  return <EmptyState title="There is no such page">Choose one of the pages in the menu.</EmptyState>;
}
