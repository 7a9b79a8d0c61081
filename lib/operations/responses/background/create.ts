/** Creates a response in the background: what is sent is checked and kept, and a worker is started, which no caller's leaving ends. */
import type { RunRef } from '../../../core/background.ts';
import type { Answer, Call } from '../../../core/endpoint.ts';
import type { Asked } from '../../../pipeline/generation/prepare.ts';
import { generationTask } from '../../../pipeline/generation/task.ts';
import type { PipelineParts } from '../../../pipeline/parts.ts';
import { planTargets } from '../../../pipeline/plan-targets.ts';
import type { BackgroundInput, ResponsesInput } from '../read/read.ts';
import { onlyError } from '../write/only-error.ts';
import { queued, writeResponse } from '../write/response-object.ts';
import { followRun } from './follow.ts';
import type { BackgroundParts } from './run-state.ts';

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
  const run = await runs.create(ref, { keyHash: key?.hash ?? '', headers, streamed, request, begun });
  try {
    await start?.(ref);
  } catch (thrown) {
    await runs.fail(run, 'The gateway could not begin to create this response.');
    throw thrown;
  }
  facts.streamed = streamed;
  if (!streamed) return { type: 'json', body: begun };
  return { type: 'stream', events: followRun(parts.background, run, { signal }), onError: onlyError };
}
