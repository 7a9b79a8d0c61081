/**
 * Reading JSON that another party wrote, without trusting its shape: each reader gives a harmless empty value where the
 * type is not what the wire promises, so that decoders stay free of type checks and never throw on odd input.
 */
import type { JsonObject } from '../core/generation/request.ts';
import { isJsonObject } from '../core/json-object.ts';

export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text, or an empty one. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The text, or undefined where there is none (also for an empty one). */
export function asOptionalText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** More than any answer costs: such a number is no count, and sums of it would not be whole any more. */
const maxCounted = 2 ** 40;

/** A token count: a whole number of at least 0, else 0. */
export function asCount(value: unknown): number {
  return typeof value === 'number' && value > 0 && value < maxCounted ? Math.trunc(value) : 0;
}

/** A place in a list: a whole number of at least 0, else the place that is known otherwise. */
export function asIndex(value: unknown, known: number): number {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : known;
}

/** What a table holds under a name that another party wrote: nothing under the names that every object knows. */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
