/**
 * Reads JSON that a caller of the sandbox sent, without trusting its shape. Written apart from the gateway's own
 * readers on purpose: the sandbox must not share a mistake with what it is there to check.
 */
import type { JsonObject } from '../lib/core/generation/request.ts';

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return listOf(value).map(objectOf);
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The texts of a list, or a single text as a list of one. */
export function textsOf(value: unknown): readonly string[] {
  return (typeof value === 'string' ? [value] : listOf(value)).filter((one) => typeof one === 'string');
}

export function unknownKey(value: unknown, known: ReadonlySet<string>): string | undefined {
  return Object.keys(objectOf(value)).find((key) => !known.has(key));
}
