/** The records of fallbacks that will not be tried, in the form of any other change of the request. */
import type { Model, Target } from '../core/catalog/model.ts';
import { type ModelDeployments, maxTargets } from './deployments.ts';

export interface FallbackChange {
  /** The field with the fallbacks. */
  readonly param: string;
  readonly action: 'override';
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly reason: string;
}

interface ResolvedName {
  readonly param: string;
  readonly model: Model;
}

/** `resolved` and `deployments` start with the primary. */
export function droppedFallbacks(
  [, ...resolved]: readonly ResolvedName[],
  [, ...deployments]: readonly ModelDeployments[],
  targets: readonly Target[],
): readonly FallbackChange[] {
  if (resolved.length === 0) return [];
  const field = resolved[0]?.param.replace(/\.\d+$/, '') ?? '';
  const steps: readonly (readonly [readonly Model[], string])[] = [
    [resolved.map(({ model }) => model), ''],
    [deployments.map(({ model }) => model), 'Each model is tried once.'],
    [modelsWith(deployments, 'allowed'), "No deployment of the model meets 'provider'."],
    [modelsWith(deployments, 'targets'), 'No credentials are configured for the providers of the model.'],
    [modelsAmong(deployments, targets), `A request is sent to at most ${maxTargets} targets.`],
  ];
  return steps.flatMap(([after, reason], index) => {
    const before = steps[index - 1]?.[0] ?? after;
    if (before.length === after.length) return [];
    return [{ param: field, action: 'override', before: idsOf(before), after: idsOf(after), reason }];
  });
}

const modelsWith = (deployments: readonly ModelDeployments[], list: 'allowed' | 'targets') =>
  deployments.flatMap((deployment) => (deployment[list].length > 0 ? [deployment.model] : []));

const modelsAmong = (deployments: readonly ModelDeployments[], targets: readonly Target[]) =>
  deployments.flatMap(({ model, targets: own }) => {
    const isTried = targets.some((target) => target.model.id === model.id);
    return own.length > 0 && isTried ? [model] : [];
  });

const idsOf = (models: readonly Model[]) => models.map(({ id }) => id);
