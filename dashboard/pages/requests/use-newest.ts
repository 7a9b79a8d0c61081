/** Looks for newer requests while the list is seen. They are counted, and shown when the reader wants them: the deployment is not lost. */
import { useEffect, useState } from 'preact/hooks';
import type { RequestRow, RequestsListAnswer } from '../../../lib/admin/requests/schema.ts';
import { call, type Parameters } from '../../api/call.ts';
import { useEvery } from '../use-every.ts';
import { changedSince, compareNewest, letIn } from './newest.ts';

const everyMs = 10_000;
const mostNew = 100;

interface NewestRequests {
  /** The list, with the newer ones that were let in. */
  readonly rows: readonly RequestRow[] | undefined;
  /** How many wait. */
  readonly waiting: number;
  /** There are more than these. */
  readonly hasMore: boolean;
  readonly show: () => void;
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
  const [shown, setShown] = useState<readonly RequestRow[]>([]);
  const [{ later, hasMore }, setFound] = useState<Found>({ later: [], hasMore: false });
  const known = listed && compareNewest(letIn(listed, shown), later);
  const look = async () => {
    if (!known || !query) return;
    const since = changedSince(known.rows, Date.now() / 1000);
    // Until now, and further: the list may have been opened long ago.
    const asked = { ...query, from: since ?? query.from, to: undefined, limit: mostNew };
    const data = await call<RequestsListAnswer>('GET', '/requests', { query: asked });
    // Where it does not reach what is listed, some between are missing.
    const { added } = compareNewest(known.rows, data.data);
    setFound({ later: data.data, hasMore: data.has_more && added.length === data.data.length });
  };
  // What fails is tried again by the next look.
  useEvery(everyMs, () => void look().catch(() => {}), query !== undefined);
  const added = known?.added ?? [];
  const show = () => {
    if (hasMore) reload();
    setShown(hasMore ? [] : [...added, ...shown]);
    setFound({ later: [], hasMore: false });
  };
  // Where nothing is listed, there is no deployment to lose.
  useEffect(() => {
    if (known && known.rows.length === 0 && added.length > 0) show();
  });
  return { rows: known?.rows, waiting: added.length, hasMore, show };
}
