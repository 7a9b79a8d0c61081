/** Where the command palette can lead: what matches a text, in groups. */
import type { Changes } from '../../state/query.ts';

export interface Place {
  readonly title: string;
  /** Shown beside the title, to distinguish places with the same one. */
  readonly detail?: string;
  readonly page: string;
  readonly with?: Changes;
}

export interface PlaceGroup {
  readonly title: string;
  readonly places: readonly Place[];
}

interface Named {
  readonly id: string;
  readonly name?: string | null;
}

export interface Found {
  readonly pages: readonly { readonly name: string; readonly title: string; readonly words?: string }[];
  readonly keys: readonly (Named & { readonly tenant: string })[];
  readonly tenants: readonly Named[];
  readonly models: readonly Named[];
}

/** Shorter texts are not searched for: they are in too many names. */
export const minSearch = 2;

/** Filters would hide what was chosen by its name. */
const alone: Changes = { tenant: null, model: null, key: null, user: null };

/** Of requests, as answers have them in `x-request-id`. */
const requestId = /^[\w.:-]{6,128}$/;

/** @param text Trimmed. @param found All pages of the user, and what the lists have for the text. */
export function placesFor(text: string, { pages, keys, tenants, models }: Found): readonly PlaceGroup[] {
  const lower = text.toLowerCase();
  const named = pages.filter(({ title, words }) => `${title} ${words ?? ''}`.toLowerCase().includes(lower));
  const groups: readonly PlaceGroup[] = [
    { title: 'Pages', places: named.map(({ name, title }) => ({ title, page: name })) },
    {
      title: 'Keys',
      places: keys.map(({ id, name, tenant }) => ({
        title: name ?? id,
        detail: `${tenant} · ${id}`,
        page: 'keys',
        with: { ...alone, id },
      })),
    },
    { title: 'Tenants', places: tenants.map(({ id }) => opened('tenants', id)) },
    { title: 'Models', places: models.map(({ id }) => opened('models', id)) },
    {
      title: 'Requests',
      places: requestId.test(text) ? [{ ...opened('requests', text), detail: 'as a request id' }] : [],
    },
  ];
  return groups.filter(({ places }) => places.length > 0);
}

const opened = (page: string, id: string): Place => ({ title: id, page, with: { ...alone, id } });
