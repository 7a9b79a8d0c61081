/**
 * Reads JSON from another party without trusting its types: a value of an unexpected type becomes an empty one, so that
 * decoders need no type checks and never throw on odd input.
 */
/** The text, or an empty string. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The text, or undefined if there is none or it is empty. */
export function asOptionalText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Greater than any real count. Larger numbers are not counts, and sums of them would not be exact. */
const maxCounted = 2 ** 40;

/** A token count: a whole number of at least 0, else 0. */
export function asCount(value: unknown): number {
  return typeof value === 'number' && value > 0 && value < maxCounted ? Math.trunc(value) : 0;
}

/**
 * Whether one of these stands where a count should be and is none: null, a text, below zero. Then what was used is not known, and
 * is no 0. A count that is absent is 0.
 */
export const isMiscounted = (...values: readonly unknown[]): boolean =>
  values.some(
    (value) => value !== undefined && !(typeof value === 'number' && value >= 0 && value < maxCounted),
  );

/** A list index: a whole number of at least 0, else `known`. */
export function asIndex(value: unknown, known: number): number {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : known;
}

/** The value of a table under a name from another party. Inherited names such as `constructor` are not found. */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
