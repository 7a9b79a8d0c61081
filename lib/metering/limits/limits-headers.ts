/** A caller's limits as the rate limit headers of OpenAI and, for the clients that read those, of Anthropic. */
import type { LimitUsage } from '../../core/accounting/limits.ts';
import type { Limits } from '../../core/tenancy.ts';

/** The limits of a scope, and their use. */
interface Counted {
  readonly limits: Limits;
  readonly usage: Pick<LimitUsage, 'requests' | 'tokens' | 'minuteEnds'>;
}

/** Of several limits of one kind, the one with the least left. */
interface Tightest {
  readonly unit: 'requests' | 'tokens';
  readonly limit: number;
  readonly left: number;
  /** Unix milliseconds. */
  readonly resetsAt: number;
}

type Headers = Readonly<Record<string, string>>;

/** `now`: Unix milliseconds. */
export function limitHeaders(counted: readonly Counted[], now: number): Headers {
  const headers = tightestOf(counted).flatMap(({ unit, limit, left, resetsAt }) => [
    [`x-ratelimit-limit-${unit}`, `${limit}`],
    [`x-ratelimit-remaining-${unit}`, `${left}`],
    [`x-ratelimit-reset-${unit}`, inWords(resetsAt - now)],
  ]);
  return Object.fromEntries(headers);
}

/** A limit of tokens counts input and output together, so each of the two has all that is left. */
const anthropicUnits = {
  requests: ['requests'],
  tokens: ['tokens', 'input-tokens', 'output-tokens'],
} as const;

/** Source: platform.claude.com/docs/en/api/rate-limits, "Response headers". */
export function anthropicLimitHeaders(counted: readonly Counted[]): Headers {
  const headers = tightestOf(counted).flatMap(({ unit, limit, left, resetsAt }) =>
    anthropicUnits[unit].flatMap((name) => [
      [`anthropic-ratelimit-${name}-limit`, `${limit}`],
      [`anthropic-ratelimit-${name}-remaining`, `${left}`],
      [`anthropic-ratelimit-${name}-reset`, new Date(resetsAt).toISOString().replace('.000Z', 'Z')],
    ]),
  );
  return Object.fromEntries(headers);
}

const units = [
  ['requests', 'requestsPerMinute'],
  ['tokens', 'tokensPerMinute'],
] as const;

function tightestOf(counted: readonly Counted[]): readonly Tightest[] {
  return units.flatMap(([unit, name]) => {
    const limited = counted.flatMap(({ limits, usage }): Tightest[] => {
      const limit = limits[name];
      if (limit === undefined) return [];
      return [{ unit, limit, left: Math.max(0, limit - usage[unit]), resetsAt: usage.minuteEnds }];
    });
    return limited.toSorted((one, other) => one.left - other.left || one.limit - other.limit).slice(0, 1);
  });
}

/** A time as OpenAI writes it, in whole seconds: `12s`, `1m0s`. */
function inWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
