/** What the token counters of all protocols share. */

import { asObject } from '../core/formats/json-object.ts';
import type { JsonObject } from '../core/generation/request.ts';

/** The fields of a body that a counter takes. */
export function pick(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

/** The count in a field of an answer. */
export function readCount(answer: unknown, name: string): number | undefined {
  const count = asObject(answer)[name];
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
