/** Data of the admin API for a part of a page: what is known at once, then what is new. */
import { useEffect, useState } from 'preact/hooks';
import { asError } from './api-error.ts';
import { type Cached, cached, type Load } from './cache.ts';
import { call, type Parameters, textOf } from './call.ts';
import { pageSizes } from './page-sizes.ts';

export interface Read<Data> {
  /** The last that was read, also while or after a further reading fails. */
  readonly data: Data | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  /** When the data was read, in Unix seconds; undefined before that. */
  readonly readAt: number | undefined;
  readonly reload: () => void;
}

/** @param path Below the session's API, such as `/keys`; null: nothing is read. */
export function useRead<Data>(path: string | null, query?: Parameters): Read<Data> {
  const address = path === null ? null : path + textOf(query);
  const entry = useCached(address, async (abort) => await call('GET', address ?? '', { signal: abort }));
  if (!entry) return nothing;
  const { data, ...state } = entry.state.value;
  return { data: data as Data | undefined, ...state, reload: entry.reload };
}

/** One page of a list, as the API answers. */
export interface Page<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
  readonly next_after: string | null;
}

export interface ReadList<Row, Answer extends Page<Row> = Page<Row>> extends Omit<Read<Answer>, 'data'> {
  /** Of all pages that were read; undefined before the first. */
  readonly rows: readonly Row[] | undefined;
  /** The last page, with what it has beside the rows. */
  readonly last: Answer | undefined;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** Reads the next page. */
  readonly more: () => void;
  /** Reads what failed: the next page, or all from the first one. */
  readonly retry: () => void;
  /** Reads the pages up to the last, or up to a number of rows, and does not keep them. */
  readonly all: () => Promise<{ readonly rows: readonly Row[]; readonly areAll: boolean }>;
}

/** Of a list that is read whole. */
const maxRows = 20_000;
const maxPages = 400;

/** A list that is read page by page. A reload begins with the first page. */
export function useList<Row, Answer extends Page<Row> = Page<Row>>(
  path: string | null,
  query?: Parameters,
): ReadList<Row, Answer> {
  const address = path === null ? null : path + textOf(query);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const entry = useCached(address === null ? null : `${address}#`, async (abort) => {
    const last = await call<Answer>('GET', address ?? '', { signal: abort });
    return { rows: last.data, last };
  });
  const { data, error, isLoading, readAt } = entry?.state.value ?? nothing;
  const { rows, last } = (data ?? {}) as Partial<{ readonly rows: readonly Row[]; readonly last: Answer }>;
  const more = () => {
    if (path === null || isLoadingMore || !last?.next_after) return;
    setLoadingMore(true);
    setProblem(undefined);
    call<Answer>('GET', path, { query: { ...query, after: last.next_after } })
      .then((next) =>
        // A reload in between began again with the first page.
        entry?.set((now) => (now === data ? { rows: [...(rows ?? []), ...next.data], last: next } : now)),
      )
      .catch((thrown) => setProblem(asError(thrown)))
      .finally(() => setLoadingMore(false));
  };
  const all = async () => {
    const found = [...(rows ?? [])];
    let page = last;
    const limit = pageSizes[path ?? ''];
    for (let pages = 0; path !== null && page?.next_after && found.length < maxRows && pages < maxPages; ) {
      page = await call<Answer>('GET', path, { query: { ...query, limit, after: page.next_after } });
      found.push(...page.data);
      pages += 1;
    }
    return { rows: found, areAll: !page?.next_after };
  };
  return {
    rows,
    last,
    error: error ?? problem,
    isLoading,
    readAt,
    isLoadingMore,
    hasMore: last?.has_more === true && last.next_after !== null,
    more,
    retry: () => (problem && !error ? more() : entry?.reload()),
    all,
    reload: () => entry?.reload(),
  };
}

const nothing = {
  data: undefined,
  error: undefined,
  isLoading: false,
  readAt: undefined,
  reload: () => {},
};

function useCached(address: string | null, load: Load): Cached | undefined {
  const entry = address === null ? undefined : cached(address);
  useEffect(() => entry?.use(load), [entry]);
  return entry;
}
