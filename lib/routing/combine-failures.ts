/** The one error that a caller gets when every target has failed. */

import type { Target } from '../core/catalog/model.ts';
import type { ErrorKind } from '../core/errors/error-kinds.ts';
import { GatewayError } from '../core/errors/errors.ts';
import { isRefusal, refusals } from './refusals.ts';

/** The last failure of a target. */
export interface TargetFailure {
  readonly target: Target;
  readonly error: GatewayError;
}

/** Failures of the gateway's own set-up: beside others they say nothing about the request. */
const setUpFailures: readonly ErrorKind[] = ['upstream_credentials', 'upstream_model_missing'];

/**
 * The primary's failure where all targets failed with one status (all limited: 429 with the shortest wait; all unreachable:
 * 503), else a 500 `all_targets_failed`. With several targets the message names each of them. `failures` is in the order tried.
 */
export function combineFailures(failures: readonly TargetFailure[]): GatewayError {
  const others = failures.filter(({ error }) => !setUpFailures.includes(error.kind) && !isRefusal(error));
  const counted = others.length > 0 ? others : withoutIdle(failures);
  const [primary] = counted;
  if (!primary) return new GatewayError('internal', 'The request had no target.');
  const { error } = primary;
  if (failures.length === 1) return error;
  const described = failures.map((failure) => describe(failure, failures));
  const message = `All ${failures.length} targets failed: ${described.join(', ')}.`;
  // The provider's own reason, which the caller can act on, comes first.
  if (error.kind === 'upstream_invalid_call') return error.with({ message: `${error.message} ${message}` });
  const areAlike = counted.every(({ error: { status } }) => status === error.status);
  if (!areAlike)
    return new GatewayError('upstream_failed', message, { code: 'all_targets_failed', cause: error });
  return error.with({ message, retryAfterMs: shortestWait(counted) ?? error.retryAfterMs });
}

/** Where nothing but the set-up has failed, a provider without valid credentials says nothing beside one that answered. */
function withoutIdle(failures: readonly TargetFailure[]): readonly TargetFailure[] {
  if (!failures.every(({ error }) => setUpFailures.includes(error.kind))) return failures;
  const answered = failures.filter(({ error }) => error.kind !== 'upstream_credentials');
  return answered.length > 0 ? answered : failures;
}

function shortestWait(failures: readonly TargetFailure[]): number | undefined {
  const waits = failures.flatMap(({ error }) => error.retryAfterMs ?? []);
  return waits.length > 0 ? Math.min(...waits) : undefined;
}

const reasons: Partial<Record<ErrorKind, string>> = {
  ...Object.fromEntries(refusals.map((kind) => [kind, 'request refused'])),
  upstream_invalid_call: 'invalid tool call',
  own_provider_key: 'own key refused',
  upstream_credentials: 'no valid credentials',
  upstream_quota: 'quota exhausted',
  upstream_model_missing: 'model not available',
  upstream_rate_limited: 'rate limited',
  upstream_overloaded: 'overloaded',
  upstream_unreachable: 'unreachable',
  upstream_timeout: 'timeout',
  upstream_invalid_answer: 'unreadable answer',
  upstream_cut: 'connection lost',
};

/** The provider, and the region, are named where several deployments of one model failed. */
function describe({ target, error }: TargetFailure, failures: readonly TargetFailure[]): string {
  const { model, deployment } = target;
  const siblings = failures.filter((other) => other.target.model.id === model.id);
  const isOnlyRegion =
    siblings.filter((other) => other.target.deployment.provider === deployment.provider).length === 1;
  const { provider, region } = deployment;
  const server = isOnlyRegion ? provider : `${provider} ${region}`;
  const name = siblings.length === 1 ? model.id : `${model.id} on ${server}`;
  return `${name} (${reasons[error.kind] ?? 'provider error'})`;
}
