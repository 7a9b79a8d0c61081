/**
 * What a host itself says that an answer costs, in nano-dollars. Whether it is believed is a rule of the price row.
 * Sources: OpenRouter "Usage Accounting" (`cost`), Perplexity's API reference (`cost.total_cost`), xAI "Cost Tracking"
 * (`cost_in_usd_ticks`: ten thousand million ticks are a dollar).
 */

import { asObject } from '../core/formats/json-object.ts';
import type { JsonObject } from '../core/generation/request.ts';

const nanoPerDollar = 1e9;
const ticksPerNano = 10;

/** Undefined if it says nothing, or nothing that can be read. */
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
