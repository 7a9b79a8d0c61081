/** A link to what is shown, and views that the user has named. They are in this browser only, apart for each user. */
import { useState } from 'preact/hooks';
import type { PageProps } from '../api/session.ts';
import { Button, IconButton } from '../components/controls.tsx';
import { toast } from '../components/toast.tsx';
import { addressBelow, navigate, rootAddress } from '../state/location.ts';
import { maxViewName, readViews, type SavedView, withoutView, withView } from './saved-views.ts';

export function Views({ session, close }: PageProps & { readonly close: () => void }) {
  const key = `views of ${session.user.id}`;
  const [views, setViews] = useState(() => readViews(stored(key)));
  const keep = (next: readonly SavedView[]) => {
    setViews(next);
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      toast('The browser does not keep it: its storage is full or off.', 'bad');
    }
  };
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name')).trim();
    if (name === '') return;
    keep(withView(views, { name, address: addressBelow() }));
    close();
    toast(`The view '${name}' is saved in this browser.`);
  };
  return (
    <div class="views stack">
      <Button icon="copy" onClick={() => void copyAddress().then(close)}>
        Copy the link to this view
      </Button>
      {views.length > 0 && (
        <ul aria-label="Saved views">
          {views.map(({ name, address }) => (
            <li key={name} class="row">
              <a
                href={rootAddress + address}
                onClick={(event) => {
                  event.preventDefault();
                  close();
                  navigate(rootAddress + address);
                }}
              >
                {name}
              </a>
              <IconButton
                icon="close"
                label={`Remove the view ${name}`}
                onClick={() => keep(withoutView(views, name))}
              />
            </li>
          ))}
        </ul>
      )}
      <form class="row" onSubmit={save}>
        <input
          class="input"
          name="name"
          maxLength={maxViewName}
          required
          autocomplete="off"
          aria-label="Name of this view"
          placeholder="Name of this view"
        />
        <Button type="submit">Save</Button>
      </form>
    </div>
  );
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

const copyAddress = () =>
  navigator.clipboard.writeText(location.href).then(
    () => toast('The link is copied.'),
    () => toast('The browser does not allow to copy. Copy the address of the page instead.', 'bad'),
  );
