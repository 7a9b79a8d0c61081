/** What chat completions and Responses share: a target generates, and its events are the answer. */
import { pipe } from '../../async/pipe.ts';
import type { Call } from '../../core/endpoint.ts';
import type { ModelEndpoint } from '../../core/model-endpoints.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { runTargets } from '../../pipeline/run-targets.ts';
import type { Generated } from './generated.ts';
import { formatToCheck } from './json-format.ts';
import { observe } from './observe.ts';
import type { Asked } from './prepare.ts';
import { generationTask } from './task.ts';

/** Resolves with the first answer; rejects with GatewayError when no target gave one. */
export async function generate(
  parts: PipelineParts,
  endpoint: ModelEndpoint,
  asked: Asked,
  call: Call<unknown>,
): Promise<Generated> {
  call.facts.streamed = asked.request.stream;
  const { target, attempts, media, ...first } = await runTargets(
    parts,
    generationTask(parts, endpoint, asked, call),
    call,
  );
  const { events, sandbox } = first.answer;
  const changes = [...asked.leftOut, ...first.changes, ...first.prepared.changes, ...first.answer.changes];
  call.facts.normalizations = changes.length;
  const generated: Generated = {
    target,
    attempts,
    changes,
    isOriginal: first.prepared.request.original !== undefined,
    sandbox,
    events: pipe(events, observe(target, parts.health, call, first.attempt)),
  };
  const format = generated.isOriginal
    ? undefined
    : formatToCheck(asked.request, first.prepared.request, target);
  if (!format) return generated;
  const { checkedAnswer } = await import('./checked-answer.ts');
  const { repair = false, request } = asked;
  return checkedAnswer(generated, {
    format,
    repair,
    stream: request.stream,
    parts,
    call,
    sent: first.prepared,
    media,
  });
}
