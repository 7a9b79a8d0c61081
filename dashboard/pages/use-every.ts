/** Does something again and again while the page is seen, and at once when it is seen again after that time. */
import { useEffect, useRef } from 'preact/hooks';

/** @param isOn Without it, nothing is done. */
export function useEvery(milliseconds: number, act: () => void, isOn: boolean): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!isOn) return;
    let last = Date.now();
    const look = () => {
      if (document.hidden || Date.now() - last < milliseconds) return;
      last = Date.now();
      latest.current();
    };
    const timer = setInterval(look, milliseconds);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [milliseconds, isOn]);
}
