/** Creates a response in the background: what is sent is checked, paid for by a reservation and kept, and a worker is started, which no caller's leaving ends. */
import type { RunHold, RunRef } from '../../../core/background.ts';
import type { Answer, Call } from '../../../core/endpoint.ts';
import type { Asked } from '../../../pipeline/generation/prepare.ts';
import { generationTask } from '../../../pipeline/generation/task.ts';
import type { ModelTask } from '../../../pipeline/model-task.ts';
import type { PipelineParts } from '../../../pipeline/parts.ts';
import { planTargets } from '../../../pipeline/plan-targets.ts';
import { admit } from '../../../pipeline/use/admission.ts';
import type { Plan } from '../../../routing/plan.ts';
import type { BackgroundInput, ResponsesInput } from '../read/read.ts';
import { onlyError } from '../write/only-error.ts';
import { queued, writeResponse } from '../write/response-object.ts';
import { followRun } from './follow.ts';
import { type BackgroundParts, failQueued } from './run-state.ts';

interface CreateParts extends PipelineParts {
  readonly background: BackgroundParts;
}

interface Created {
  readonly call: Call<ResponsesInput>;
  readonly ref: RunRef;
  readonly asked: Asked;
  readonly background: BackgroundInput;
}

/** Rejects as the response itself would, for all that is known before a provider is called. */
export async function createInBackground(
  parts: CreateParts,
  { call, ref, asked, background }: Created,
): Promise<Answer> {
  const { input, key, facts, signal } = call;
  const { runs, start, now } = parts.background;
  const task = generationTask(parts, 'responses', asked, call);
  const { targets } = await planTargets(parts, task, call);
  const [target] = targets;
  task.check?.(target);
  const identity = { id: ref.id, created_at: Math.floor(now() / 1000), model: target.model.id };
  const begun = writeResponse(identity, input.echo, { outcome: queued, output: [] });
  const { headers, request } = background;
  const streamed = input.request.stream;
  facts.streamed = streamed;
  facts.response = ref.id;
  const hold = await reserve(parts, task, call, targets);
  const created = { keyHash: key?.hash ?? '', headers, streamed, request, begun, hold };
  const run = await runs.create(ref, created).catch(async (thrown) => {
    // Without an answer, no one can ask for it.
    if (hold) await parts.background.release(hold);
    throw thrown;
  });
  try {
    await start?.(ref);
  } catch (thrown) {
    await failQueued(parts.background, run, 'The gateway could not begin to create this response.');
    throw thrown;
  }
  if (!streamed) return { type: 'json', body: begun };
  return { type: 'stream', events: followRun(parts.background, run, { signal }), onError: onlyError };
}

/** Reserves what the worker may use, and writes the open record of its request. */
async function reserve<Prepared, Answer>(
  parts: PipelineParts,
  task: ModelTask<Prepared, Answer>,
  call: Call<unknown>,
  targets: Plan['targets'],
): Promise<RunHold | undefined> {
  const [{ model, deployment }] = targets;
  const { maxToolCalls } = (await admit(parts, task, call, targets)).task;
  const { provider, region } = deployment;
  const metered = await call.handOver?.({ model: model.id, provider, region });
  return metered && { ...metered, ...(maxToolCalls !== undefined && { maxToolCalls }) };
}
