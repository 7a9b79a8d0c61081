/** A text that is typed, once nothing was typed for a moment. */
import { useEffect, useState } from 'preact/hooks';

const momentMs = 200;

export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), momentMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
