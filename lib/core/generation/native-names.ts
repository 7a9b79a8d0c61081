/** Names of fields of providers' own protocols, as callers give them in `native_fields`. */
import { isJsonObject } from '../json-object.ts';
import type { JsonObject } from './request.ts';

/** A name without case, underscores and dashes: providers accept several spellings of one. */
export const plainName = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** No protocol nests its parameters deeper. */
export const maxFieldDepth = 8;

/** Fields that choose a service tier, or something else that each price depends on. */
const tierNames: readonly string[] = ['servicetier', 'speed', 'inferencegeo', 'performanceconfig'];

/** Whether they choose a tier, wherever they have it. */
export function asksForTier(fields: JsonObject = {}, depth = 0): boolean {
  return Object.entries(fields).some(
    ([name, value]) =>
      tierNames.includes(plainName(name)) ||
      (depth < maxFieldDepth && isJsonObject(value) && asksForTier(value, depth + 1)),
  );
}
