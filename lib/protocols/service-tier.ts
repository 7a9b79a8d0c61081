/**
 * The service tier that an answer names, which is the one that is charged for. It may be another than the request asked for.
 */
import { asOptionalText } from './json.ts';

/** Names that providers have for the tiers of the public API. */
const renamed: Readonly<Record<string, string>> = {
  standard: 'default',
  on_demand: 'default',
  // Source: TrafficType of Vertex' GenerateContentResponse.UsageMetadata.
  on_demand_flex: 'flex',
  on_demand_priority: 'priority',
};

/** Says nothing. */
const unnamed: ReadonlySet<string> = new Set(['', 'unspecified', 'traffic_type_unspecified']);

/** A tier whose name cannot be kept: no price has this name. */
const unreadable = 'unreadable';

/**
 * The name in lower case; undefined if the answer names none. A tier that the gateway does not know keeps its name, so that
 * it is not billed as another.
 */
export function readServiceTier(tier: unknown): string | undefined {
  // Every piece of a stream names it.
  if (tier === undefined || tier === 'default') return tier;
  const name = asOptionalText(tier)?.toLowerCase() ?? '';
  if (unnamed.has(name)) return undefined;
  const known = Object.hasOwn(renamed, name) ? renamed[name] : name;
  return known !== undefined && /^[\w.:-]{1,40}$/.test(known) ? known : unreadable;
}

/** Several facts that each change the price are one tier, such as `fast+us`. Undefined if there is none. */
export function joinTiers(...tiers: readonly (string | undefined)[]): string | undefined {
  const named = tiers.flatMap((tier) => tier ?? []);
  const special = named.filter((tier) => tier !== 'default');
  return special.length > 0 ? special.join('+') : named[0];
}
