/** Follows the scrolling of a table's box. */
import { useEffect, useState } from 'preact/hooks';
import { mostWhole, type RowWindow, windowOf } from './rows.ts';

const defaultHeight = 36;

interface Followed extends RowWindow {
  /** In pixels. */
  readonly rowHeight: number;
}

export function useRowWindow(box: { readonly current: HTMLElement | null }, count: number): Followed {
  const [sight, setSight] = useState({ scrolled: 0, height: 900, rowHeight: defaultHeight });
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
  return { ...windowOf({ ...sight, count }), rowHeight: sight.rowHeight };
}
