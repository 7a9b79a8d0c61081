/** Does something again and again while the page is seen. */
import { useEffect, useRef } from 'preact/hooks';

/** @param isOn Without it, nothing is done. */
export function useEvery(milliseconds: number, act: () => void, isOn: boolean): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds, isOn]);
}
