/** The part of the URL after `?`: what it keeps from page to page, and how it changes. */

/** What the pages may filter by. */
export const filterNames = [
  'tenant',
  'model',
  'key',
  'user',
  'provider',
  'status',
  'error',
  'http_status',
  'min_cost',
  'min_duration_ms',
  'operation',
  'session',
  'batch',
  'tag',
  'search',
] as const;
export type FilterName = (typeof filterNames)[number];
export type Filters = { readonly [Name in FilterName]?: string };

/** Before the name of a tag that is grouped by. */
export const tagPrefix = 'tag:';

/** What the pages may group by, beside a tag. */
export const groupNames = ['model', 'key', 'tenant', 'user', 'provider', 'session'] as const;
export type GroupName = (typeof groupNames)[number] | `${typeof tagPrefix}${string}`;

export const isTag = (name: GroupName): name is `${typeof tagPrefix}${string}` => name.startsWith(tagPrefix);

/** These stay when another page opens. */
const shared: readonly string[] = ['range', 'from', 'to', 'by', 'tenant', 'model', 'key', 'user'];

/** What to change: null and an empty text remove a parameter. */
export type Changes = Readonly<Record<string, string | null | undefined>>;

/** The API takes no longer ones. */
const maxValueLength = 512;

export function readFilters(query: URLSearchParams): Filters {
  const found = filterNames.flatMap((name) => {
    const value = query.get(name);
    return value === null || value === '' || value.length > maxValueLength ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

export function readGroup(query: URLSearchParams): GroupName {
  const by = (query.get('by') ?? '').slice(0, maxValueLength) as GroupName;
  return groupNames.find((name) => name === by) ?? (isTag(by) ? by : 'model');
}

/** The query with the changes; parameters keep their order, so that equal states are equal texts. */
export function changeQuery(query: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  }
  next.sort();
  return next;
}

/** What another page gets of this one's query. */
export function sharedQuery(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => shared.includes(name)));
}
