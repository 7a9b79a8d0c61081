/** Reads counts of calls from fields such as `web_fetch_requests`. */
import type { JsonObject } from '../core/generation/request.ts';
import { addCalls, type ToolCounts } from '../core/generation/tools/tool-counts.ts';
import { asCount } from './json.ts';

/** By what is before the ending; without tools that were not called, or whose calls are free. */
export function readToolCounts(fields: JsonObject, ending: string, free: ReadonlySet<string>): ToolCounts {
  const counts = {};
  for (const [field, value] of Object.entries(fields)) {
    const calls = field.endsWith(ending) ? asCount(value) : 0;
    const name = field.slice(0, -ending.length);
    if (calls > 0 && !free.has(name)) addCalls(counts, name, calls);
  }
  return counts;
}
