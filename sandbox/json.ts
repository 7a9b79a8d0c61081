/**
 * Reads JSON that a caller of the sandbox sent, without trusting its shape. Written apart from the gateway's own
 * readers on purpose: the sandbox must not share a mistake with what it is there to check.
 */

import { parseJson } from '../lib/core/formats/parse-json.ts';
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

/** Calls `refuse` with the first key that is not known. */
export function checkKeys(value: unknown, known: ReadonlySet<string>, refuse: (key: string) => void): void {
  const unknown = Object.keys(objectOf(value)).find((key) => !known.has(key));
  if (unknown !== undefined) refuse(unknown);
}

/** Whether something is given that is no number of the range. */
export function isOutside(value: unknown, low: number, high: number): boolean {
  const number = numberOf(value) ?? Number.NaN;
  return value !== undefined && !(number >= low && number <= high);
}

/** The words of texts, such as the names of fields, with spaces between. */
export const words = (...texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => text.split(' '));

export const wordSet = (...texts: readonly string[]): ReadonlySet<string> => new Set(words(...texts));

/** The JSON object that a text begins with: undefined where it begins with something else. */
export function objectAtStart(written: string): JsonObject | 'broken' | undefined {
  if (!written.startsWith('{')) return undefined;
  // Some agents put the user's words into quotes, and a backslash before each quote in them.
  const text = written.startsWith('{\\"') ? written.replaceAll('\\"', '"') : written;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (depth === 0) return parse(text.slice(0, index + 1));
  }
  return 'broken';
}

function parse(text: string): JsonObject | 'broken' {
  const value = parseJson(text);
  return isObject(value) ? value : 'broken';
}
