/** Makes a value when it is first asked for: what costs a start some time, and is not needed by every function or request. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
