/** Notes what an answer used, why it ended and how its target fared, while the answer passes. */
import type { Transform } from '../../async/pipe.ts';
import type { AttemptFacts, Call } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { ServiceTier } from '../../core/generation/request.ts';
import { addUsage, type Usage } from '../../core/generation/usage.ts';
import type { Target } from '../../core/model.ts';
import { withProviderName } from '../../core/provider-name.ts';
import { reasonOf } from '../../pipeline/run-targets.ts';
import type { Health } from '../../routing/health.ts';
import { type SeenTokens, withTier, withToolUse } from './token-bounds.ts';

/** `asked`: the tier that was asked for, which holds where upstream does not say which one it used. */
export function observe(
  target: Target,
  health: Health,
  { facts, signal }: Call<unknown>,
  attempt: AttemptFacts,
  seen: SeenTokens,
  asked: ServiceTier | undefined,
): Transform<readonly GenerationEvent[], GenerationEvent> {
  let tier: string | undefined = asked;
  let isCounted = false;
  const earlier = attempt.usage;
  const withEarlier = (usage: Usage) => (earlier ? addUsage(earlier, usage) : usage);
  return {
    each(events, out) {
      for (const event of events) {
        seen.add(event);
        if (event.type === 'finish') facts.finishReasons = [...(facts.finishReasons ?? []), event.reason];
        if (event.type === 'start' || event.type === 'usage') tier = event.serviceTier ?? tier;
        if (event.type !== 'usage') {
          out.push(event);
          continue;
        }
        const usage = withToolUse(withTier(event.usage, tier), seen.toolUse());
        isCounted = true;
        attempt.usage = withEarlier(usage);
        if (event.raw) attempt.rawUsage = { ...attempt.rawUsage, ...event.raw };
        out.push({ ...event, usage });
      }
    },
    end: () => health.succeeded(target),
    failed(thrown) {
      const error = reasonOf(signal, thrown);
      if (!(error instanceof GatewayError)) return error;
      if (error.recovery !== 'none' && error.status !== 400) health.failed(target);
      return withProviderName(error, target.deployment.provider);
    },
    closed() {
      const usage = isCounted ? undefined : seen.usage();
      if (usage) Object.assign(attempt, { usage: withEarlier(withTier(usage, tier)), estimated: true });
    },
  };
}
