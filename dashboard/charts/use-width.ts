/** The width that an element has on the screen: charts are made for it, so that their text keeps its size. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** `initial` is used until the element is laid out. In whole pixels. */
export function useWidth<T extends Element>(initial: number): readonly [RefObject<T | null>, number] {
  const element = useRef<T>(null);
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const measure = () => setWidth(Math.floor(current.getBoundingClientRect().width) || initial);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [initial]);
  return [element, width];
}
