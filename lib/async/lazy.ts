/** Creates a value on first use, for values that slow down a cold start and are not needed by every function or request. */
export function lazy<Value>(create: () => Value): () => Value {
  let created: { readonly value: Value } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

/** The same for each object: the value is created when it is first used for that object, and is kept as long as the object is. */
export function lazyFor<Key extends object, Value>(create: (key: Key) => Value): (key: Key) => Value {
  const created = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = created.get(key) ?? { value: create(key) };
    created.set(key, known);
    return known.value;
  };
}
