/** The `debug` object of an answer, for callers who ask for it: normalizations, deprecations, routing and cost. */
import type { Change } from '../normalization/rule.ts';
import type { Attempt } from '../routing/attempt.ts';

export const debugCategories = ['normalizations', 'deprecations', 'routing', 'cost'] as const;
export type DebugCategory = (typeof debugCategories)[number];

/** Use of a deprecated model or parameter. */
export interface Deprecation {
  readonly param: string;
  readonly message: string;
}

export interface DebugFacts {
  readonly changes: readonly Change[];
  readonly deprecations: readonly Deprecation[];
  readonly attempts: readonly Attempt[];
  /** What the request is charged, in US dollars; null if it is not known. */
  readonly cost: () => number | null;
}

/** The requested categories in the public format; undefined if none was requested. */
export function writeDebug(asked: readonly DebugCategory[], facts: DebugFacts): object | undefined {
  if (asked.length === 0) return undefined;
  const categories = {
    normalizations: facts.changes,
    deprecations: facts.deprecations,
    routing: facts.attempts.map(writeAttempt),
    cost: asked.includes('cost') ? facts.cost() : null,
  };
  return Object.fromEntries(asked.map((category) => [category, categories[category]]));
}

function writeAttempt({ target, requested, status, reason, latencyMs }: Attempt): object {
  const { provider, region } = target.deployment;
  return {
    provider,
    region,
    status,
    model: target.model.id,
    ...(requested !== undefined && { requested }),
    latency_ms: latencyMs,
    ...(reason !== undefined && { reason }),
  };
}
