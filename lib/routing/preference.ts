/** The order in which the deployments of one model are tried. */
import type { Deployment, Target } from '../core/catalog/model.ts';
import { type Health, nameOf } from './health.ts';
import { rendezvous } from './rendezvous.ts';

/**
 * The catalog's order. Deployments that the catalog holds equal are ordered by a hash of the conversation, which is the same in
 * every process, so that the provider's prompt cache is found again. Which of the others comes first is the operator's choice
 * and never depends on the conversation.
 */
export function preferred(
  targets: readonly Target[],
  conversation: () => string | undefined,
): readonly Target[] {
  if (targets.length < 2) return targets;
  const groups = equalGroups(targets);
  if (groups.length === targets.length) return targets;
  const key = conversation();
  if (key === undefined) return targets;
  return groups.flatMap((group) => rendezvous(key, group, { name: ({ deployment }) => nameOf(deployment) }));
}

/** Neighbours that are equally preferred, where a deployment between two may be missing. */
function equalGroups(targets: readonly Target[]): readonly (readonly Target[])[] {
  const groups = new Map<Deployment | undefined, Target[]>();
  for (const target of targets) {
    const first = firstEqual(target);
    groups.set(first, [...(groups.get(first) ?? []), target]);
  }
  return [...groups.values()];
}

/** The first of the deployments that the catalog holds equal to this one. */
function firstEqual({ model: { deployments }, deployment }: Target): Deployment | undefined {
  const before = deployments.slice(0, deployments.indexOf(deployment) + 1);
  return before.findLast(({ equalToPrevious }) => !equalToPrevious) ?? before[0];
}

export function failingLast(targets: readonly Target[], health: Health): readonly Target[] {
  const failing = targets.filter((target) => health.isFailing(target));
  if (failing.length === 0) return targets;
  return [...targets.filter((target) => !failing.includes(target)), ...failing];
}
