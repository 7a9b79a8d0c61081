/** Creates a value on first use, for values that slow down a cold start and are not needed by every function or request. */
export function lazy<Value>(create: () => Value): () => Value {
  let created: { readonly value: Value } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}
