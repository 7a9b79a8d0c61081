/** In which order the deployments of one model are preferred. */
import { createHash } from 'node:crypto';
import type { Target } from '../core/model.ts';
import { type Health, keyOf } from './health.ts';

/**
 * The catalog's order, or, for a session, an order of its own that is the same in every process: what a provider keeps of
 * a session's prompts is then found again. Targets that keep failing come last.
 */
export function preferred(
  targets: readonly Target[],
  session: string | undefined,
  health: Health,
): readonly Target[] {
  return failingLast(session === undefined ? targets : orderOf(session, targets), health);
}

export function failingLast(targets: readonly Target[], health: Health): readonly Target[] {
  const failing = targets.filter((target) => health.isFailing(target));
  return [...targets.filter((target) => !failing.includes(target)), ...failing];
}

/** Each target is ranked by itself, so that one more or one less moves only the sessions that it serves. */
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
