/** What the sandbox keeps for a provider, by its id. */
interface Kept<Value> {
  /** The oldest one is forgotten where there are too many. */
  add(provider: string, id: string, value: Value): Value;
  find(provider: string, id: string): Value | undefined;
  /** The newest first. */
  list(provider: string): readonly Value[];
  remove(id: string): void;
}

export function createKept<Value>(max: number): Kept<Value> {
  const all = new Map<string, { readonly provider: string; readonly value: Value }>();
  return {
    add(provider, id, value) {
      const [oldest] = all.keys();
      if (all.size >= max && oldest !== undefined) all.delete(oldest);
      all.set(id, { provider, value });
      return value;
    },
    find(provider, id) {
      const found = all.get(id);
      return found?.provider === provider ? found.value : undefined;
    },
    list: (provider) =>
      [...all.values()]
        .filter((one) => one.provider === provider)
        .map(({ value }) => value)
        .reverse(),
    remove: (id) => void all.delete(id),
  };
}
