/** What chat completions and Responses share: a target generates, and its events are the answer. */
import { type Piped, pipe, type Transform } from '../../async/pipe.ts';
import type { Call } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { Target } from '../../core/model.ts';
import type { ModelEndpoint } from '../../core/operations.ts';
import { withProviderName } from '../../core/provider-name.ts';
import type { Change } from '../../normalization/rule.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { reasonOf, runTargets } from '../../pipeline/run-targets.ts';
import type { Attempt } from '../../routing/attempt.ts';
import type { Health } from '../../routing/health.ts';
import type { Asked } from './prepare.ts';
import { generationTask } from './task.ts';
import { countSeen, type SeenTokens, withSearches } from './token-bounds.ts';

export interface Generated {
  readonly target: Target;
  readonly attempts: readonly Attempt[];
  /** Everything that was changed of the caller's request. */
  readonly changes: readonly Change[];
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
  /** The whole answer from its first event on. Must be read to its end, or left by `return`. */
  readonly events: Piped<GenerationEvent>;
}

/** Resolves with the first answer; rejects with GatewayError when no target gave one. */
export async function generate(
  parts: PipelineParts,
  endpoint: ModelEndpoint,
  asked: Asked,
  call: Call<unknown>,
): Promise<Generated> {
  call.facts.streamed = asked.request.stream;
  const { target, attempts, ...first } = await runTargets(
    parts,
    generationTask(parts, endpoint, asked),
    call,
  );
  const { events, sandbox, usageSoFar } = first.answer;
  const changes = [...asked.leftOut, ...first.changes, ...first.prepared.changes, ...first.answer.changes];
  call.facts.normalizations = changes.length;
  const seen = countSeen(asked.request, usageSoFar);
  return {
    target,
    attempts,
    changes,
    sandbox,
    events: pipe(events, observe(target, parts.health, call, seen)),
  };
}

/** Notes usage and finish reasons for the log and the ledger, and how the target fared. */
function observe(
  target: Target,
  health: Health,
  { facts, signal }: Call<unknown>,
  seen: SeenTokens,
): Transform<readonly GenerationEvent[], GenerationEvent> {
  return {
    each(events, out) {
      for (const event of events) {
        seen.add(event);
        if (event.type === 'usage') {
          facts.usage = withSearches(event.usage, seen.searches());
          if (event.raw) facts.rawUsage = event.raw;
        }
        if (event.type === 'finish') facts.finishReasons = [...(facts.finishReasons ?? []), event.reason];
        out.push(event);
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
      const usage = facts.usage ? undefined : seen.usage();
      if (usage) Object.assign(facts, { usage, estimated: true });
    },
  };
}
