/** What chat completions and Responses share: a target generates, and its events are the answer. */
import { eachItem, type ItemTransform, pipe } from '../../async/pipe.ts';
import type { RunUpstream } from '../../core/background.ts';
import { concernsCache } from '../../core/caching.ts';
import type { ModelEndpoint } from '../../core/catalog/model-endpoints.ts';
import type { Call } from '../../core/endpoint.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import { geminiFormat } from '../../core/generation/reasoning-format.ts';
import type { Message } from '../../core/generation/request.ts';
import { encodeToolCallId } from '../../core/generation/tools/tool-call-id.ts';
import { appliedPolicies } from '../../core/guardrails/applied.ts';
import { callIdOf, newCallId } from '../../core/names/new-id.ts';
import type { GuardedRequest } from '../guard/guarded.ts';
import type { PipelineParts } from '../parts.ts';
import { planRequest, runTargets } from '../run-targets.ts';
import type { Generated } from './generated.ts';
import type { CheckOptions } from './json/checked-answer.ts';
import { formatToCheck } from './json/json-format.ts';
import { observe } from './observe.ts';
import type { Asked } from './prepare.ts';
import { generationTask } from './task.ts';

/** Resolves with the first answer; rejects with GatewayError when no target gave one. */
export function generate(
  parts: PipelineParts,
  endpoint: ModelEndpoint,
  asked: Asked,
  call: Call<unknown>,
): Promise<Generated> {
  const references = appliedPolicies(call.key ?? {}, asked.guardrails);
  if (asked.dryRun || references.length > 0)
    return generateOtherwise(parts, endpoint, { asked, call, references });
  return generateAsAsked(parts, endpoint, asked, call);
}

async function generateOtherwise(
  parts: PipelineParts,
  endpoint: ModelEndpoint,
  { asked, call, references }: Pick<GuardedRequest, 'asked' | 'call' | 'references'>,
): Promise<Generated> {
  if (asked.dryRun) {
    const { generateDry } = await import('../dry-run/generate.ts');
    return await generateDry(parts, endpoint, await asGuarded(parts, { asked, call, references }), call);
  }
  const { guarded } = await import('../guard/guarded.ts');
  return await guarded({ parts, endpoint, asked, call, references }, (passed, guardedCall) =>
    generateAsAsked(parts, endpoint, passed, guardedCall),
  );
}

/** As it would be sent, as far as no detector must be called to know that. */
async function asGuarded(
  parts: PipelineParts,
  request: Pick<GuardedRequest, 'asked' | 'call' | 'references'>,
): Promise<Asked> {
  if (request.references.length === 0) return request.asked;
  const { guardedRequest } = await import('../guard/only-input.ts');
  return await guardedRequest(parts, { ...request, onlyLocal: true });
}

async function generateAsAsked(
  parts: PipelineParts,
  endpoint: ModelEndpoint,
  asked: Asked,
  call: Call<unknown>,
): Promise<Generated> {
  call.facts.streamed = asked.request.stream;
  const task = generationTask(parts, endpoint, asked, call);
  const moderation =
    asked.request.parameters.moderation &&
    (await import('../moderation/inline.ts')).inlineModeration(parts, asked, call);
  const planned = await planRequest(parts, task, call);
  const cache = concernsCache(call.key, asked.cache)
    ? await (await import('../cache/cached-generation.ts')).cachedGeneration(
        parts,
        { endpoint, asked, planned },
        call,
      )
    : undefined;
  if (cache?.answer) return cache.answer;
  const { target, attempts, media, ...first } = await runTargets(
    parts,
    moderation ? moderation.before(task) : task,
    call,
    planned,
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
  const keeping = cache?.keeping ?? asItIs;
  if (isOriginal) return keeping(generated);
  const { repair = false, request } = asked;
  const format = formatToCheck(request, first.prepared.request, target);
  const sent = { repair, stream: request.stream, parts, call, sent: first.prepared, media };
  const answered = format ? await checked(generated, { ...sent, format }) : generated;
  const unique = answered.events.pipe(uniqueCalls(callsIn(request.messages), asked.run));
  return keeping({
    ...answered,
    events: moderation ? moderation.after(unique, first.prepared.request) : unique,
  });
}

const asItIs = (generated: Generated): Generated => generated;

async function checked(generated: Generated, options: CheckOptions): Promise<Generated> {
  const { checkedAnswer } = await import('./json/checked-answer.ts');
  return checkedAnswer(generated, options);
}

/**
 * Ids of an answer's calls that the conversation does not have yet. Some hosts count the calls of each answer from 0, and clients
 * find the result of a call by its id alone. Source: NVIDIA-NeMo/Switchyard issue 502.
 */

/**
 * `earlier`: the ids of the calls in the conversation. Not the conversation, which would be kept as long as the stream. `run`: each of
 * its workers gives the same ids.
 */
export function uniqueCalls(
  earlier: readonly string[],
  run?: Pick<RunUpstream, 'id'>,
): ItemTransform<GenerationEvent> {
  let taken: ReadonlySet<string> | undefined;
  /** Of the calls of this answer, by the host's id. */
  const ids = new Map<string, string>();
  const written = new Set<string>();
  let given = 0;
  const newId = () => {
    given += 1;
    return run ? callIdOf(run.id, given) : newCallId();
  };
  const idOf = (id: string): string => {
    // As Messages writes them: a caller may have got an id in this form.
    taken ??= new Set(earlier.map(encodeToolCallId));
    const own = ids.get(id) ?? (taken.has(encodeToolCallId(id)) ? newId() : id);
    ids.set(id, own);
    return own;
  };
  const callId = (id: string): string => {
    if (written.has(id)) ids.set(id, newId());
    written.add(id);
    return idOf(id);
  };
  const rename = (event: GenerationEvent): GenerationEvent => {
    if (event.type === 'tool-call') return { ...event, id: callId(event.id) };
    if (event.type !== 'reasoning-detail') return event;
    // A signature of Gemini names its call, and may come before it.
    const { format, id } = event.detail;
    if (format !== geminiFormat || id === undefined) return event;
    return { ...event, detail: { ...event.detail, id: idOf(id) } };
  };
  return eachItem(rename);
}

function callsIn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) =>
    message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [],
  );
}
