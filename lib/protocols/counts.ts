/** Reads counts: of a body whose content cannot be read and which is paid for all the same, of token counters, of calls of tools; and costs. */

import { asObject } from '../core/formats/json-object.ts';
import type { JsonObject } from '../core/generation/request.ts';
import { addCalls, type ToolCounts } from '../core/generation/tools/tool-counts.ts';
import type { Counted, Usage } from '../core/generation/usage.ts';
import { asCount } from './json.ts';

const nanoPerDollar = 1e9;
const ticksPerNano = 10;

/**
 * What a host itself says that an answer costs, in nano-dollars. Whether it is believed is a rule of the price row. Undefined if it
 * says nothing that can be read. Sources: OpenRouter "Usage Accounting" (`cost`), Perplexity's API reference (`cost.total_cost`),
 * xAI "Cost Tracking" (`cost_in_usd_ticks`: ten thousand million ticks are a dollar).
 */
export function readStatedCost(usage: JsonObject): number | undefined {
  const { cost, cost_in_usd_ticks: ticks } = usage;
  if (typeof ticks === 'number') return asNano(ticks / ticksPerNano);
  if (typeof cost === 'number') return withOwnKey(cost, usage);
  const { total_cost: total } = asObject(cost);
  return typeof total === 'number' ? asNano(total * nanoPerDollar) : undefined;
}

/** With an operator's own key at the provider behind, OpenRouter's `cost` is its fee alone. */
function withOwnKey(
  cost: number,
  { is_byok: isOwnKey, cost_details: details }: JsonObject,
): number | undefined {
  if (isOwnKey !== true) return asNano(cost * nanoPerDollar);
  const { upstream_inference_cost: upstream } = asObject(details);
  return typeof upstream === 'number' ? asNano((cost + upstream) * nanoPerDollar) : undefined;
}

function asNano(amount: number): number | undefined {
  const rounded = Math.round(amount);
  return Number.isSafeInteger(rounded) && rounded >= 0 ? rounded : undefined;
}

/** The fields of a body that a counter takes. */
export function pick(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

/** The count in a field of an answer. */
export function readCount(answer: unknown, name: string): number | undefined {
  const count = asObject(answer)[name];
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Counts of calls from fields such as `web_fetch_requests`, by what is before the ending; without tools that were not called, or whose calls are free. */
export function readToolCounts(fields: JsonObject, ending: string, free: ReadonlySet<string>): ToolCounts {
  const counts = {};
  for (const [field, value] of Object.entries(fields)) {
    const calls = field.endsWith(ending) ? asCount(value) : 0;
    const name = field.slice(0, -ending.length);
    if (calls > 0 && !free.has(name)) addCalls(counts, name, calls);
  }
  return counts;
}

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
