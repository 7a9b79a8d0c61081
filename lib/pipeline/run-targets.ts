/**
 * The request path of every operation that calls a model, from the plan to the answer:
 *
 *   plan the targets → reserve → for each target: prepare → call → (modify | reserve again → retry or next target) → answer
 *
 * What is prepared and how a call is made is the operation's (`ModelTask`). Which failure allows a retry or another target
 * is decided by pure functions of `routing`. This file only runs their decisions.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../core/catalog/model.ts';
import type { Credential } from '../core/credential.ts';
import { type AttemptFacts, type Call, unknownModel } from '../core/endpoint.ts';
import { asGatewayError, GatewayError } from '../core/errors/errors.ts';
import { withProviderName } from '../core/names/provider-name.ts';
import { parentHeader, spanIdOf } from '../core/trace-context.ts';
import type { Change } from '../normalization/rule.ts';
import type { Attempt } from '../routing/attempt.ts';
import type { TargetFailure } from '../routing/combine-failures.ts';
import type { Plan } from '../routing/plan.ts';
import { isRefusal } from '../routing/refusals.ts';
import { retryWaitMs } from '../routing/retry.ts';
import { failAttempt, startAttempt } from './attempts.ts';
import { createRequestMedia, type RequestMedia } from './media/request-media.ts';
import type { ModelTask } from './model-task.ts';
import type { PipelineParts } from './parts.ts';
import { keepsNothing, planTargets } from './plan-targets.ts';
import type { Connections } from './use/account.ts';
import { type Admission, admit, admitAgain } from './use/admission.ts';

/** The answer of the first target that gave one. */
export interface TargetAnswer<Prepared, Answer> {
  readonly target: Target;
  /** All that may have been tried, in order. */
  readonly targets: readonly Target[];
  /** The id of the model that the request named, also where another one answered. */
  readonly requestedId: string;
  /** As it was sent to the target that answered. */
  readonly prepared: Prepared;
  readonly answer: Answer;
  /** The attempt that gave it, in the ledger. */
  readonly attempt: AttemptFacts;
  /** Every attempt, in order; the last one succeeded. */
  readonly attempts: readonly Attempt[];
  /** What was changed of the caller's fallbacks. */
  readonly changes: readonly Change[];
  /** What was fetched for the request. */
  readonly media: RequestMedia;
}

/** What is sent to whom, before anything is reserved. */
export interface PlannedRequest<Prepared> extends Plan {
  /** By the position of the target; none where nothing had to be prepared yet. */
  readonly prepared: readonly Prepared[];
}

/** Rejects with GatewayError for what no target may or can do. */
export async function planRequest<Prepared, Answer>(
  parts: PipelineParts,
  task: ModelTask<Prepared, Answer>,
  call: Call<unknown>,
): Promise<PlannedRequest<Prepared>> {
  const { facts } = call;
  facts.requestedModel = task.model;
  facts.model = unknownModel;
  const plan = await planTargets(parts, task, call);
  task.check?.(plan.targets[0]);
  // A fallback that cannot do what is asked is an error at once: found only during an outage, it would help no one.
  return { ...plan, prepared: task.fallbacks.length > 0 ? prepareAll(plan.targets, plan.names, task) : [] };
}

/**
 * Resolves with the first answer. Rejects with GatewayError when no target gave one. `planned`: the plan, where it is made already.
 */
export async function runTargets<Prepared, Answer>(
  parts: PipelineParts,
  task: ModelTask<Prepared, Answer>,
  call: Call<unknown>,
  planned?: PlannedRequest<Prepared>,
): Promise<TargetAnswer<Prepared, Answer>> {
  const plan = planned ?? (await planRequest(parts, task, call));
  const { targets, requestedId, skipped, names, changes, prepared } = plan;
  const admission = await admit(parts, task, call, targets);
  const media = createRequestMedia(parts.connections.fetchMedia, call.memory);
  const attempts: Attempt[] = skipped.map((one) => ({ ...one, status: 'skipped', latencyMs: 0 }));
  const failures: TargetFailure[] = [];
  for (const [position, target] of targets.entries()) {
    const isLast = position === targets.length - 1;
    const isFirst = failures.length === 0;
    if (isLast) call.onLastTarget?.();
    if (!isFirst) {
      const further = { targets: targets.slice(position), failure: () => combined(failures) };
      await admitAgain(parts, admission, call, further);
    }
    // With less output than was asked for, each target is sent another request.
    const own = admission.task === task ? prepared[position] : undefined;
    const tried = { target, primary: targets[0], isFirst, isLast, prepared: own, attempts, media };
    const result = await tryTarget(parts, admission, call, tried);
    if (!(result instanceof GatewayError)) {
      const named = attempts.map((one) => withName(one, names));
      return { target, targets, requestedId, ...result, attempts: named, changes, media };
    }
    failures.push({ target, error: result });
    // Once for each request, however many attempts: what counts is how many requests a target failed. A 400 is about the
    // request, and not about the target.
    if (result.status !== 400) parts.health.failed(target);
  }
  throw await combined(failures);
}

/** Loaded when a target has failed. */
async function combined(failures: readonly TargetFailure[]): Promise<GatewayError> {
  const { combineFailures } = await import('../routing/combine-failures.ts');
  return combineFailures(failures);
}

interface TriedTarget<Prepared> {
  readonly target: Target;
  readonly primary: Target;
  /** Whether no other target has failed before. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Absent: still to be prepared. */
  readonly prepared: Prepared | undefined;
  /** Attempts are added here. */
  readonly attempts: Attempt[];
  readonly media: RequestMedia;
}

/** The target's answer, or its last failure when another target may be tried. Throws a failure that ends the request. */
async function tryTarget<Prepared, Answer>(
  parts: PipelineParts,
  admission: Admission<Prepared, Answer>,
  call: Call<unknown>,
  { target, primary, isFirst, isLast, attempts, media, prepared: given }: TriedTarget<Prepared>,
): Promise<Pick<TargetAnswer<Prepared, Answer>, 'prepared' | 'answer' | 'attempt'> | GatewayError> {
  const { now } = parts;
  const { signal, lasting = signal, memory, remainingMs } = call;
  let { task } = admission;
  const firstOutputMs = isLast ? undefined : task.firstOutputMs(target);
  let prepared = given;
  const start = () =>
    startAttempt(call, target, {
      at: now(),
      inputTokens: task.inputTokens(),
      output: task.output?.(target),
    });
  let attempt = start();
  for (let tries = 1; ; ) {
    try {
      prepared ??= task.prepare(target, primary);
      const tenant = call.key?.tenant;
      const traced = tracedConnections(parts.connections, call, target);
      const connections = keepsNothing(task, call) ? { ...traced, maxCacheSeconds: 0 } : traced;
      const options = { connections, media, signal, lasting, memory, firstOutputMs, tenant, attempt };
      const answer = await task.call(prepared, options);
      attempts.push({ target, status: 'succeeded', latencyMs: now() - attempt.at });
      return { prepared, answer, attempt };
    } catch (thrown) {
      const named = withProviderName(asGatewayError(reasonOf(signal, thrown)), target.deployment.provider);
      const known = withPromptTokens(named, task, target);
      const error = target.credential ? await failureOfOwn(parts, target.credential, known) : known;
      const modified = prepared && !signal.aborted && (await task.modify?.(error, prepared));
      if (modified) {
        prepared = modified;
        continue;
      }
      const reason = error.code ?? error.kind;
      attempts.push({ target, status: 'failed', reason, latencyMs: now() - attempt.at });
      failAttempt(attempt, error, { at: now(), isStream: task.isStream === true });
      // What a fallback refuses must not hide why it was asked.
      if (!isFirst && isRefusal(error) && !signal.aborted) return error;
      if (error.recovery === 'none') throw error;
      const waitMs = retryWaitMs(error, { tries, remainingMs: remainingMs() });
      if (waitMs !== undefined) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      // A caller who has left, or whose time is up, gets no further call.
      if (signal.aborted) throw asGatewayError(reasonOf(signal, error));
      if (waitMs === undefined) return error;
      tries += 1;
      await admitAgain(parts, admission, call, { targets: [target], failure: () => error });
      if (admission.task !== task) prepared = undefined;
      task = admission.task;
      attempt = start();
    }
  }
}

/** A refused credential is its tenant's to repair. */
async function failureOfOwn(
  { connections }: Pick<PipelineParts, 'connections'>,
  credential: Credential,
  error: GatewayError,
): Promise<GatewayError> {
  const { ownFailure } = await import('./own/own-failure.ts');
  return ownFailure(connections, credential, error);
}

/** What the gateway knows of a prompt that the provider found too long. */
function withPromptTokens(
  error: GatewayError,
  { inputTokens }: Pick<ModelTask<unknown, unknown>, 'inputTokens'>,
  { model: { limits } }: Target,
): GatewayError {
  if (error.kind !== 'upstream_context_length') return error;
  const maximum = limits.input ?? limits.context;
  return error.with({ promptTokens: { used: inputTokens(), ...(maximum !== null && { maximum }) } });
}

/** Says what the request called the model, where that is not its id. */
function withName(attempt: Attempt, names: Plan['names']): Attempt {
  const { id } = attempt.target.model;
  const { name } = names.get(id) ?? { name: id };
  return name === id ? attempt : { ...attempt, requested: name };
}

/** What each target would be sent. What a fallback cannot do is reported with the fallback's field. */
function prepareAll<Prepared>(
  targets: readonly [Target, ...Target[]],
  names: Plan['names'],
  { prepare }: Pick<ModelTask<Prepared, unknown>, 'prepare'>,
): readonly Prepared[] {
  return targets.map((target) => {
    try {
      return prepare(target, targets[0]);
    } catch (error) {
      const { param = 'model' } = names.get(target.model.id) ?? {};
      throw error instanceof GatewayError && param !== 'model' ? error.with({ param }) : error;
    }
  });
}

/** Where the request itself was ended, the reason for that says more than the call that broke off because of it. */
export function reasonOf(signal: AbortSignal, error: unknown): unknown {
  return signal.aborted && signal.reason instanceof GatewayError ? signal.reason : error;
}

/**
 * Names the trace of a request in the calls of its attempts, for the providers that the operator has chosen. The headers are added
 * to a request that is authorized: they are not signed, and no signature depends on them.
 */

const allProviders = 'all';

/** Of the last attempt of the call. The same connections where nothing is to be named. */
function tracedConnections(
  connections: Connections,
  { trace, requestId, facts }: Pick<Call<unknown>, 'trace' | 'requestId' | 'facts'>,
  { deployment: { provider } }: Target,
): Connections {
  const { tracedProviders = [], send } = connections;
  if (!trace || !(tracedProviders.includes(provider) || tracedProviders.includes(allProviders)))
    return connections;
  const named = {
    traceparent: parentHeader(trace, spanIdOf(requestId, facts.attempts.length)),
    ...(trace.state !== undefined && { tracestate: trace.state }),
  };
  return {
    ...connections,
    send: (request, options) => send({ ...request, headers: { ...request.headers, ...named } }, options),
  };
}
