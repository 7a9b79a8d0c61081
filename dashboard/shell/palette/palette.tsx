/** The command palette: from a part of a name to a page, a key, a tenant, a model or a request. Arrow keys choose, Enter goes. */
import { useEffect, useId, useState } from 'preact/hooks';
import type { KeysListAnswer } from '../../../lib/admin/keys/schema.ts';
import type { ModelsListAnswer } from '../../../lib/admin/models/schema.ts';
import type { TenantsListAnswer } from '../../../lib/admin/tenants/schema.ts';
import type { PageProps, Role } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import { useSettled } from '../../components/use-settled.ts';
import { Dialog } from '../../components/windows.tsx';
import { pagesOf } from '../../pages/pages.ts';
import { addressOf, navigate } from '../../state/location.ts';
import { minSearch, type Place, type PlaceGroup, placesFor } from './places.ts';

/** Of each kind. More are found by typing. */
const limit = 6;

export function Palette({ session, onClose }: PageProps & { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const list = useId();
  const { groups, isLoading, error } = useFound(text.trim(), session.role);
  const places = groups.flatMap((group) => group.places);
  const go = (place: Place | undefined) => {
    if (!place) return;
    onClose();
    navigate(addressOf(place.page, place.with));
  };
  // A name that was typed in a hurry is found first.
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    if (!isWanted || isLoading) return;
    setWanted(false);
    go(places[active]);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) setWanted(true);
    else setActive(Math.max(0, Math.min(places.length - 1, active + step)));
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        class="input"
        type="text"
        role="combobox"
        aria-label="Page, key, tenant, model or request id"
        aria-expanded={places.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={places[active] ? `${list}-${active}` : undefined}
        placeholder="Page, key, tenant, model or request id"
        autocomplete="off"
        spellcheck={false}
        autoFocus
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(0);
          setWanted(false);
        }}
        onKeyDown={onKeyDown}
      />
      <Places groups={groups} list={list} active={active} go={go} />
      <p class="quiet" role="status">
        {error ? `Not all could be searched: ${error.message}` : !isLoading && wordsFor(places.length, text)}
      </p>
    </Dialog>
  );
}

const wordsFor = (found: number, text: string) =>
  found === 0 ? `Nothing is called '${text.trim()}'.` : 'Arrow keys choose, Enter goes there.';

interface PlacesProps {
  readonly groups: readonly PlaceGroup[];
  /** The id of the list. */
  readonly list: string;
  readonly active: number;
  readonly go: (place: Place) => void;
}

function Places({ groups, list, active, go }: PlacesProps) {
  let count = 0;
  return (
    <div id={list} class="places stack" role="listbox" aria-label="Found">
      {groups.map(({ title, places }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset may not be in a list box.
        <div key={title} role="group" aria-label={title}>
          <p class="places-title" aria-hidden="true">
            {title}
          </p>
          {places.map((place) => {
            const index = count++;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus, and takes the keys.
              // biome-ignore lint/a11y/useFocusableInteractive: as above.
              <div
                key={`${place.page} ${place.title} ${place.detail}`}
                id={`${list}-${index}`}
                class="row"
                role="option"
                aria-selected={index === active}
                ref={(element) => void (index === active && element?.scrollIntoView({ block: 'nearest' }))}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => go(place)}
              >
                <span class="cut">{place.title}</span>
                {place.detail && <span class="cut quiet">{place.detail}</span>}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** Keys, tenants and models by the search of their lists. */
function useFound(text: string, role: Role) {
  const settled = useSettled(text);
  const search = settled.length < minSearch ? undefined : settled;
  const pathOf = (path: string, isOn = true) => (search !== undefined && isOn ? path : null);
  const keys = useRead<KeysListAnswer>(pathOf('/keys'), { search, limit });
  const tenants = useRead<TenantsListAnswer>(pathOf('/tenants', role === 'operator'), { search, limit });
  const models = useRead<ModelsListAnswer>(pathOf('/models'), { search, limit });
  const reads = [keys, tenants, models];
  const pages = pagesOf(role);
  const found = {
    pages,
    keys: keys.data?.data ?? [],
    tenants: tenants.data?.data ?? [],
    models: models.data?.data ?? [],
  };
  return {
    groups: placesFor(text, text.length < minSearch ? { pages, keys: [], tenants: [], models: [] } : found),
    isLoading: settled !== text || reads.some((read) => read.isLoading),
    error: reads.find((read) => read.error)?.error,
  };
}
