/** What chat completions and Responses share: a target generates, and its events are the answer. */
import { pipe } from '../../async/pipe.ts';
import type { ModelEndpoint } from '../../core/catalog/model-endpoints.ts';
import type { Call } from '../../core/endpoint.ts';
import type { PipelineParts } from '../parts.ts';
import { runTargets } from '../run-targets.ts';
import type { Generated } from './generated.ts';
import type { CheckOptions } from './json/checked-answer.ts';
import { formatToCheck } from './json/json-format.ts';
import { observe } from './observe.ts';
import type { Asked } from './prepare.ts';
import { generationTask } from './task.ts';
import { callsIn, uniqueCalls } from './unique-calls.ts';

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
  const isOriginal = first.prepared.request.original !== undefined;
  const generated: Generated = {
    target,
    attempts,
    changes,
    isOriginal,
    sandbox,
    events: pipe(events, observe(target, parts.health, call, first.attempt)),
  };
  if (isOriginal) return generated;
  const { repair = false, request } = asked;
  const format = formatToCheck(request, first.prepared.request, target);
  const sent = { repair, stream: request.stream, parts, call, sent: first.prepared, media };
  const answered = format ? await checked(generated, { ...sent, format }) : generated;
  return { ...answered, events: answered.events.pipe(uniqueCalls(callsIn(request.messages))) };
}

async function checked(generated: Generated, options: CheckOptions): Promise<Generated> {
  const { checkedAnswer } = await import('./json/checked-answer.ts');
  return checkedAnswer(generated, options);
}
