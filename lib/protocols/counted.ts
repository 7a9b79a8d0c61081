/** Reads the counts of a body whose content cannot be read: it is paid for all the same. */

import { asObject } from '../core/formats/json-object.ts';
import type { JsonObject } from '../core/generation/request.ts';
import type { Counted, Usage } from '../core/generation/usage.ts';

/** Undefined where `source`, the usage object of a body, has no counts. */
export function countedIn(
  source: unknown,
  readUsage: (usage: JsonObject) => Usage | undefined,
  serviceTier?: string,
): Counted | undefined {
  const raw = asObject(source);
  const usage = Object.keys(raw).length > 0 ? readUsage(raw) : undefined;
  return usage && { usage, raw, ...(serviceTier !== undefined && { serviceTier }) };
}
