/** What is reserved for the attempts of a request: at most one of them may use what was reserved once. */
import type { Call } from '../core/endpoint.ts';
import { GatewayError } from '../core/errors.ts';
import type { Target } from '../core/model.ts';
import { mayCost } from './attempt-use.ts';
import { maxUse } from './max-use.ts';
import type { ModelTask } from './model-task.ts';
import type { PipelineParts } from './parts.ts';

export interface Admission<Prepared, Answer> {
  /** The task, with less output where the limits leave less. */
  task: ModelTask<Prepared, Answer>;
  /** How often its use has been reserved. */
  times: number;
}

/** Reserves what one attempt may use, whichever target it asks. Rejects with GatewayError if the limits do not allow it. */
export async function admit<Prepared, Answer>(
  parts: PipelineParts,
  task: ModelTask<Prepared, Answer>,
  call: Call<unknown>,
  targets: readonly Target[],
): Promise<Admission<Prepared, Answer>> {
  return { task: await reserve(parts, task, call, targets), times: 1 };
}

/**
 * Reserves once more before a further attempt, if as many attempts as were reserved for may have cost something: a provider also
 * charges for what the gateway gave up. A refusal is reported as the failure that the attempt would have made good: that is
 * what the caller can act on, and a request that is sent again meets the limit by itself.
 */
export async function admitAgain<Prepared, Answer>(
  parts: PipelineParts,
  admission: Admission<Prepared, Answer>,
  call: Call<unknown>,
  { targets, failure }: { readonly targets: readonly Target[]; readonly failure: () => GatewayError },
): Promise<void> {
  if (call.facts.attempts.filter(mayCost).length < admission.times) return;
  admission.task = await reserve(parts, admission.task, call, targets).catch((refusal) => {
    if (!(refusal instanceof GatewayError)) throw refusal;
    const error = failure();
    throw error.with({ message: `${error.message} It was not tried again: ${refusal.message}` });
  });
  admission.times += 1;
}

async function reserve<Prepared, Answer>(
  { now }: PipelineParts,
  task: ModelTask<Prepared, Answer>,
  { admit: reserve, key }: Call<unknown>,
  targets: readonly Target[],
): Promise<ModelTask<Prepared, Answer>> {
  const granted = await reserve(() =>
    maxUse(targets, task.maxTokens, now() / 1000, key?.tenantPolicy?.pricing),
  );
  if (granted === undefined || !task.prepareWithin) return task;
  const { output } = task;
  return {
    ...task,
    prepare: task.prepareWithin(granted),
    ...(output && { output: (target) => output(target, granted) }),
  };
}
