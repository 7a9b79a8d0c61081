/**
 * Reading JSON that another party wrote, without trusting its shape: each reader gives a harmless empty value where the
 * type is not what the wire promises, so that decoders stay free of type checks and never throw on odd input.
 */
import type { JsonObject } from '../core/generation.ts';

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
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

/** A token count: a whole number of at least 0, else 0. */
export function asCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.trunc(value) : 0;
}

/** The parsed JSON, or undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
