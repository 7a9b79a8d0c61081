/** A caller's limits as the rate limit headers of OpenAI. */
import type { LimitUsage } from '../core/accounting/limits.ts';
import type { Limits } from '../core/tenancy.ts';

/** The limits of a scope, and their use. */
export interface Counted {
  readonly limits: Limits;
  readonly usage: Pick<LimitUsage, 'requests' | 'tokens' | 'minuteEnds'>;
}

const units = [
  ['requests', 'requestsPerMinute'],
  ['tokens', 'tokensPerMinute'],
] as const;

/** Of several limits of one kind, the one with the least left. */
export function limitHeaders(counted: readonly Counted[], now: number): Readonly<Record<string, string>> {
  const headers = units.flatMap(([unit, name]) => {
    const [tightest] = counted
      .flatMap(({ limits, usage }) => {
        const limit = limits[name];
        return limit === undefined ? [] : [{ limit, left: Math.max(0, limit - usage[unit]), usage }];
      })
      .toSorted((one, other) => one.left - other.left || one.limit - other.limit);
    if (!tightest) return [];
    return [
      [`x-ratelimit-limit-${unit}`, `${tightest.limit}`],
      [`x-ratelimit-remaining-${unit}`, `${tightest.left}`],
      [`x-ratelimit-reset-${unit}`, inWords(tightest.usage.minuteEnds - now)],
    ] as const;
  });
  return Object.fromEntries(headers);
}

/** A time as OpenAI writes it, in whole seconds: `12s`, `1m0s`. */
function inWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
