/** Looks for newer requests while the list is seen. They are counted, and shown when the reader wants them: the place is not lost. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RequestRow, RequestsListAnswer } from '../../../lib/admin/requests/schema.ts';
import { call, type Parameters } from '../../api/call.ts';
import { changedSince, compareNewest } from './newest.ts';

const everyMs = 10_000;
const mostNew = 100;

export interface NewestRequests {
  /** The list, with the newer ones that were let in. */
  readonly rows: readonly RequestRow[] | undefined;
  /** How many wait. */
  readonly waiting: number;
  /** There are more than these. */
  readonly hasMore: boolean;
  readonly letIn: () => void;
}

interface Found {
  readonly later: readonly RequestRow[];
  readonly hasMore: boolean;
}

/** @param query Of the list; undefined: it is of the past, and nothing can come. @param reload Reads the list from its beginning. */
export function useNewest(
  listed: readonly RequestRow[] | undefined,
  query: Parameters | undefined,
  reload: () => void,
): NewestRequests {
  const [letIn, setLetIn] = useState<readonly RequestRow[]>([]);
  const [{ later, hasMore }, setFound] = useState<Found>({ later: [], hasMore: false });
  const known = listed && compareNewest([...compareNewest(listed, letIn).added, ...listed], later);
  const look = useRef(async () => {});
  look.current = async () => {
    if (document.hidden || !known || !query) return;
    const since = changedSince(known.rows, Date.now() / 1000);
    const from = since === undefined ? query.from : since;
    // Until now, and further: the list may have been opened long ago.
    const { data } = await call<RequestsListAnswer>('GET', '/requests', {
      query: { ...query, from, to: undefined, limit: mostNew },
    });
    setFound({ later: data.data, hasMore: data.has_more && since !== undefined });
  };
  const isLive = query !== undefined;
  useEffect(() => {
    if (!isLive) return;
    // What fails is tried again by the next look.
    const timer = setInterval(() => void look.current().catch(() => {}), everyMs);
    return () => clearInterval(timer);
  }, [isLive]);
  const added = known?.added ?? [];
  const show = () => {
    if (hasMore) reload();
    setLetIn(hasMore ? [] : [...added, ...letIn]);
    setFound({ later: [], hasMore: false });
  };
  // Where nothing is listed, there is no place to lose.
  useEffect(() => {
    if (known && known.rows.length === 0 && added.length > 0) show();
  });
  return { rows: known?.rows, waiting: added.length, hasMore, letIn: show };
}
