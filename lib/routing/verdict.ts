/** The one error that a caller is told when every target has failed. */
import { type ErrorKind, GatewayError } from '../core/errors.ts';

/** Failures of the gateway's own set-up: beside others they say nothing about the request. */
const ownSetUp: readonly ErrorKind[] = ['upstream_credentials', 'upstream_model_missing'];

/**
 * The primary's failure, where all targets failed alike (all limited: 429 with the shortest wait; all out of reach: 503);
 * else that all of them failed. `failures` has the last failure of each target, in the order of trying.
 */
export function verdict(failures: readonly GatewayError[]): GatewayError {
  const others = failures.filter(({ kind }) => !ownSetUp.includes(kind));
  const counted = others.length > 0 ? others : failures;
  const [primary] = counted;
  if (!primary) return new GatewayError('internal', 'The request had no target.');
  if (counted.every(({ status }) => status === primary.status)) return withShortestWait(primary, counted);
  return new GatewayError('upstream_failed', 'All models that were asked failed to answer.', {
    code: 'all_targets_failed',
    cause: primary,
  });
}

function withShortestWait(primary: GatewayError, failures: readonly GatewayError[]): GatewayError {
  const waits = failures.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  const shortest = Math.min(...waits);
  if (waits.length === 0 || shortest === primary.retryAfterMs) return primary;
  return primary.with({ retryAfterMs: shortest });
}
