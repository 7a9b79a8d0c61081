/** JSON objects. Null and arrays, which are objects in JavaScript, are not JSON objects. */

export type JsonObject = { readonly [key: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What is read of another party's object of the type `Type`, or of one of several: its fields, with values that are unknown until they
 * are looked at; or what is written into it. A field that the type does not have is a compile error.
 */
export type Wire<Type> = { readonly [Name in Type extends unknown ? keyof Type : never]?: unknown };

/** Of another party's JSON: the object, or an empty one. */
export function asObject<Type = JsonObject>(value: unknown): Wire<Type> {
  return isJsonObject(value) ? (value as Wire<Type>) : ({} as Wire<Type>);
}

/** Of another party's JSON: the array, or an empty one. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The JSON objects of an array; none if the value is not an array. */
export function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** The object without its undefined fields. With a type, a field that the type does not have is a compile error. */
export function withoutUndefined<Type = JsonObject>(object: Wire<Type>): Wire<Type> {
  const given = object as JsonObject;
  const defined: Record<string, unknown> = {};
  for (const name of Object.keys(given)) {
    if (given[name] !== undefined) setOwn(defined, name, given[name]);
  }
  return defined as Wire<Type>;
}

/** Sets a member whose name comes from another party: assigning `__proto__` would change the prototype. */
export function setOwn<Value>(object: Record<string, Value>, name: string, value: Value): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
