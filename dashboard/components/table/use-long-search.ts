/** A search that finds little goes on by itself: a page of the API looks at a bounded number of records. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReadList } from '../../api/use-read.ts';

/** With so many rows there is something to look at. */
const enoughRows = 20;

/** Pages that are read without being asked for. */
const mostPages = 200;

interface LongSearch {
  readonly goesOn: boolean;
  readonly stop: () => void;
}

export function useLongSearch(
  list: Pick<ReadList<unknown>, 'error' | 'hasMore' | 'isLoadingMore' | 'more'> | undefined,
  rows: number | undefined,
): LongSearch {
  const pages = useRef(0);
  const [isStopped, setStopped] = useState(false);
  const isSparse = list?.hasMore === true && rows !== undefined && rows < enoughRows;
  const goesOn = isSparse && !isStopped && !list.error && pages.current < mostPages;
  const isWaiting = list?.isLoadingMore;
  useEffect(() => {
    if (!goesOn || isWaiting) return;
    pages.current += 1;
    list?.more();
  }, [goesOn, isWaiting]);
  return { goesOn, stop: () => setStopped(true) };
}
