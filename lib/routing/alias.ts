/** Which of an alias's targets a request is for: conditions first, then a choice by weight. */
import type { AliasCondition, AliasTarget } from '../core/names/names.ts';
import { rendezvous } from './rendezvous.ts';

/** What the conditions of an alias are compared with. */
export interface RequestShape {
  readonly tools: boolean;
  readonly images: boolean;
  /** Estimated. */
  readonly inputTokens: number;
}

/**
 * The targets that may serve a request, the chosen one first: those with a condition that holds, else those without one. One
 * key always chooses the same target.
 */
export function chooseTargets(
  targets: readonly AliasTarget[],
  shape: RequestShape,
  key: string,
): readonly AliasTarget[] {
  const fitting = targets.filter(({ when }) => when && holds(when, shape));
  const others = targets.filter(({ when }) => !when);
  const order = { name: ({ model }: AliasTarget) => model, weight: ({ weight }: AliasTarget) => weight };
  return [...rendezvous(key, fitting, order), ...rendezvous(key, others, order)];
}

function holds({ tools, images, inputTokensAbove }: AliasCondition, shape: RequestShape): boolean {
  return (
    (!tools || shape.tools) &&
    (!images || shape.images) &&
    (inputTokensAbove === undefined || shape.inputTokens > inputTokensAbove)
  );
}
