/** Which page is open, and its query: both are in the URL, and nowhere else. */
import { batch, computed, signal } from '@preact/signals';
import {
  type Changes,
  changeQuery,
  type Filters,
  type GroupName,
  readFilters,
  readGroup,
  sharedQuery,
} from './query.ts';
import { type Range, readRange } from './range.ts';

/** Everything before `/dashboard`; empty where the page is at the root of its host. The scripts are in `<base>/dashboard/assets`. */
export const base = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');

/** Of all pages. */
export const rootAddress = `${base}/dashboard/`;

/** The open page with its query, below that. */
export const addressBelow = (): string => (location.pathname + location.search).slice(rootAddress.length);

const pageIn = (path: string) => (path.startsWith(rootAddress) ? path.slice(rootAddress.length) : '');

/** The name of the open page, as in the URL. */
export const pageName = signal(pageIn(location.pathname));

export const query = signal(new URLSearchParams(location.search));

/** Unix seconds. Relative ranges end after it; it moves on when the page is looked at again. */
const now = signal(Date.now() / 1_000);

export const range = computed<Range>(() => readRange(query.value, now.value));
export const filters = computed<Filters>(() => readFilters(query.value));
export const group = computed<GroupName>(() => readGroup(query.value));

/** The address of a page with what it shares with the open one, and the changes. */
export function addressOf(name: string, changes: Changes = {}): string {
  const kept = name === pageName.value ? query.value : sharedQuery(query.value);
  return withQuery(name, changeQuery(kept, changes));
}

/** Changes parameters of the open page. `replace`: back does not return to what was before. */
export function change(changes: Changes, { replace = false } = {}): void {
  navigate(addressOf(pageName.value, changes), replace);
}

/** @param address Of this dashboard. */
export function navigate(address: string, replace = false): void {
  const leaves =
    !address.startsWith(`${rootAddress}${pageName.value}?`) && address !== `${rootAddress}${pageName.value}`;
  if (address === location.pathname + location.search) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  read();
  if (leaves) scrollTo(0, 0);
}

const withQuery = (name: string, parameters: URLSearchParams) =>
  parameters.size === 0 ? rootAddress + name : `${rootAddress}${name}?${parameters}`;

function read(): void {
  batch(() => {
    pageName.value = pageIn(location.pathname);
    if (query.value.toString() !== new URLSearchParams(location.search).toString())
      query.value = new URLSearchParams(location.search);
    moveOn();
  });
}

/** Ranges that end now move on. */
export function moveOn(): void {
  now.value = Date.now() / 1_000;
}

addEventListener('popstate', read);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) moveOn();
});
