/**
 * The operations that one call of a target answers: reranking, images, speech, moderations. Each says what of its request is text,
 * what its task is and how its answer is written; the way from a request to its answer is here.
 */
import type * as z from 'zod/mini';
import type { Target } from '../../core/catalog/model.ts';
import type { ModelEndpoint } from '../../core/catalog/model-endpoints.ts';
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import type { Change } from '../../normalization/rule.ts';
import type { PathText } from '../../pipeline/guard/path-texts.ts';
import { guardTexts } from '../../pipeline/guard-input.ts';
import type { ModelTask } from '../../pipeline/model-task.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { runTargets, type TargetAnswer } from '../../pipeline/run-targets.ts';
import { mayBeFree } from '../../pipeline/use/may-be-free.ts';
import { warmUp } from '../../pipeline/warm-up.ts';
import { gatewayHeaders, writeDebug } from '../answer-facts.ts';
import type { AskedOnce } from './read.ts';

interface Asked extends AskedOnce {
  readonly request: object;
  /** What was changed before any target was known. */
  readonly changes?: readonly Change[];
}

interface Adapted {
  readonly target: Target;
  /** For the target. Absent: nothing can be. */
  readonly changes?: readonly Change[];
}

interface Answered {
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
}

/** What there is to write. */
export interface Made<Prepared, Result>
  extends Pick<TargetAnswer<Prepared, Result>, 'target' | 'attempt' | 'prepared'> {
  readonly result: Result;
  readonly headers: Readonly<Record<string, string>>;
  /** What the caller asks about the answer. Called when all is known of what was used. */
  readonly debug: () => { readonly debug?: object };
}

interface OneCall<Schema extends z.core.$ZodType, Input extends Asked, Prepared, Result> {
  readonly endpoint: ModelEndpoint;
  readonly schema: Schema;
  readonly read: Endpoint<Schema, Input>['read'];
  /** What guardrails look at. */
  readonly texts: (request: Input['request']) => readonly PathText[];
  /** The request with these in place of its texts. */
  readonly withTexts: (request: Input['request'], texts: readonly string[]) => Input['request'];
  readonly task: (input: Input) => ModelTask<Prepared, Result>;
  /** Of a dry run. */
  readonly nothing: Result;
  readonly write: (call: Call<Input>, made: Made<Prepared, Result>) => Answer;
}

export function oneCallEndpoint<
  Schema extends z.core.$ZodType,
  Input extends Asked,
  Prepared extends Adapted,
  Result extends Answered,
>(
  parts: PipelineParts,
  {
    endpoint,
    schema,
    read,
    texts,
    withTexts,
    task,
    nothing,
    write,
  }: OneCall<Schema, Input, Prepared, Result>,
): Endpoint<Schema, Input> {
  return {
    schema,
    read,
    prepare: (input) => warmUp(parts, input),
    mayBeFree: mayBeFree(parts, endpoint),
    async answer(given) {
      const { request } = given.input;
      const guarded = await guardTexts(parts, texts(request), given);
      const input = { ...given.input, request: withTexts(request, guarded.texts) };
      const call = { ...given, input };
      const asked = { call, task: task(input), changes: [...(input.changes ?? []), ...guarded.changes] };
      if (input.dryRun) return write(call, await unsent(parts, asked, nothing));
      const { isStream = false } = asked.task;
      call.facts.streamed = isStream;
      const first = await runTargets(parts, asked.task, call);
      // Of a stream, this is its beginning.
      if (!isStream) parts.health.succeeded(first.target);
      return write(call, made(asked, first));
    },
  };
}

interface AskedTask<Prepared, Result> {
  readonly call: Call<AskedOnce>;
  readonly task: ModelTask<Prepared, Result>;
  /** What was changed so far. */
  readonly changes: readonly Change[];
}

async function unsent<Prepared extends Adapted, Result extends Answered>(
  parts: PipelineParts,
  asked: AskedTask<Prepared, Result>,
  nothing: Result,
): Promise<Made<Prepared, Result>> {
  const { dryRun } = await import('../../pipeline/dry-run/dry-run.ts');
  const { call, task } = asked;
  const { report, ...first } = await dryRun(parts, task, call, call.input);
  const counted = { inputTokens: task.inputTokens(), exact: false };
  return made(asked, { ...first, answer: nothing }, (changes) => report(counted, changes));
}

function made<Prepared extends Adapted, Result extends Answered>(
  { call, ...asked }: AskedTask<Prepared, Result>,
  first: Omit<TargetAnswer<Prepared, Result>, 'media'>,
  report?: (changes: readonly Change[]) => object,
): Made<Prepared, Result> {
  const { target, attempt, attempts, prepared, answer: result } = first;
  const changes = [...asked.changes, ...first.changes, ...(prepared.changes ?? [])];
  call.facts.normalizations = changes.length;
  const dry = report && { dry: { report: report(changes) } };
  return {
    target,
    attempt,
    prepared,
    result,
    headers: gatewayHeaders({ changes, sandbox: result.sandbox, ...dry }),
    debug() {
      const debug = writeDebug(call, { target, changes, attempts, ...dry });
      return debug ? { debug } : {};
    },
  };
}
