/** The order in which the deployments of one model are tried. */
import { createHash } from 'node:crypto';
import type { Target } from '../core/model.ts';
import { type Health, keyOf } from './health.ts';

/**
 * The catalog's order. For a session, the deployments of the first provider are ordered by a hash of the session, which is the
 * same in every process, so that the provider's prompt cache is found again. Which provider comes first is the operator's
 * choice and never depends on the session. Targets that keep failing come last.
 */
export function preferred(
  targets: readonly Target[],
  session: string | undefined,
  health: Health,
): readonly Target[] {
  if (session === undefined) return failingLast(targets, health);
  const isFirst = ({ deployment }: Target) => deployment.provider === targets[0]?.deployment.provider;
  const others = targets.filter((target) => !isFirst(target));
  return failingLast([...orderOf(session, targets.filter(isFirst)), ...others], health);
}

export function failingLast(targets: readonly Target[], health: Health): readonly Target[] {
  const failing = targets.filter((target) => health.isFailing(target));
  return [...targets.filter((target) => !failing.includes(target)), ...failing];
}

/** Each target is ranked independently, so adding or removing one moves only the sessions that it serves. */
function orderOf(session: string, targets: readonly Target[]): readonly Target[] {
  return targets
    .map((target) => ({ target, rank: rankOf(session, target) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ target }) => target);
}

function rankOf(session: string, { deployment }: Target): string {
  return createHash('sha256')
    .update(`${session}\n${keyOf(deployment)}`)
    .digest('hex');
}
