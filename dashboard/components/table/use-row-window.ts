/** The rows of a table that are in sight: which are in the document, and which has the focus. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { mostWhole, type RowWindow, windowOf } from './rows.ts';

const defaultHeight = 36;

interface Followed extends RowWindow {
  /** In pixels. */
  readonly rowHeight: number;
}

export function useRowWindow(box: { readonly current: HTMLElement | null }, count: number): Followed {
  const [sight, setSight] = useState({ scrolled: 0, height: 900, rowHeight: defaultHeight });
  const isPrinted = usePrinted();
  useEffect(() => {
    const element = box.current;
    if (!element || count <= mostWhole) return;
    const look = () => {
      const rowHeight = element.querySelector('tbody tr[data-index]')?.getBoundingClientRect().height;
      setSight({
        scrolled: element.scrollTop,
        height: element.clientHeight,
        rowHeight: rowHeight || defaultHeight,
      });
    };
    look();
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      watcher.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [count, box.current]);
  const shown = isPrinted ? { first: 0, end: count } : windowOf({ ...sight, count });
  return { ...shown, rowHeight: sight.rowHeight };
}

/** Whether the page is being printed: on paper, nothing scrolls. */
function usePrinted(): boolean {
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    const begin = () => setPrinted(true);
    const end = () => setPrinted(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinted;
}

/** Arrow keys go from row to row, also to rows that are not in the document yet. */
export function useFocusRow(box: { readonly current: HTMLElement | null }, count: number, rowHeight: number) {
  const wanted = useRef<number | undefined>(undefined);
  const [, again] = useState(0);
  const focus = (index: number) => {
    const link = box.current?.querySelector<HTMLElement>(`tr[data-index="${index}"] a`);
    link?.focus({ preventScroll: true });
    return link !== null && link !== undefined;
  };
  useEffect(() => {
    // A row that is far away is in the document only after the box has scrolled.
    if (wanted.current !== undefined && focus(wanted.current)) wanted.current = undefined;
  });
  return (event: KeyboardEvent) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('tr[data-index]');
    if (!row || !box.current) return;
    const index = wanted.current ?? Number(row.dataset.index);
    const page = Math.max(1, Math.floor(box.current.clientHeight / rowHeight) - 2);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: count - 1,
    };
    const asked = steps[event.key];
    if (asked === undefined) return;
    event.preventDefault();
    const target = Math.max(0, Math.min(count - 1, asked));
    keepInSight(box.current, target, rowHeight);
    wanted.current = focus(target) ? undefined : target;
    again((times) => times + 1);
  };
}

/** The head covers the first row's height. */
function keepInSight(box: HTMLElement, index: number, rowHeight: number): void {
  const top = index * rowHeight;
  const bottom = top + 2 * rowHeight;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
}
