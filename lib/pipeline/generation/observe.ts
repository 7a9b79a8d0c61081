/** Notes why an answer ended and how its target fared, while the answer passes. */
import { eachItem, type ItemTransform } from '../../async/pipe.ts';
import type { Target } from '../../core/catalog/model.ts';
import type { AttemptFacts, Call } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import { withProviderName } from '../../core/names/provider-name.ts';
import type { Health } from '../../routing/health.ts';
import { reasonOf } from '../run-targets.ts';

export function observe(
  target: Target,
  health: Health,
  { facts, signal }: Pick<Call<unknown>, 'facts' | 'signal'>,
  attempt: AttemptFacts,
): ItemTransform<GenerationEvent> {
  const note = (event: GenerationEvent) => {
    if (event.type === 'finish') facts.finishReasons = [...(facts.finishReasons ?? []), event.reason];
    return event;
  };
  return eachItem(note, {
    end: () => health.succeeded(target),
    failed(thrown) {
      const error = reasonOf(signal, thrown);
      if (!(error instanceof GatewayError)) return error;
      attempt.error = error.code ?? error.kind;
      if (error.recovery !== 'none' && error.status !== 400) health.failed(target);
      return withProviderName(error, target.deployment.provider);
    },
  });
}
