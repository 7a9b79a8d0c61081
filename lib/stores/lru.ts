/** A map of bounded size. When it is full, the least recently used entry is evicted. */

export interface Lru<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

export function createLru<Value extends object | number>(maxSize: number): Lru<Value> {
  // A Map iterates in insertion order, so the first key is the least recently used one.
  const entries = new Map<string, Value>();
  function set(key: string, value: Value): void {
    entries.delete(key);
    entries.set(key, value);
    const [oldest] = entries.keys();
    if (entries.size > maxSize && oldest !== undefined) entries.delete(oldest);
  }
  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    delete: (key) => void entries.delete(key),
  };
}
