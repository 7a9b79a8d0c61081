/**
 * Which targets a request may be sent to, in order: the primary, the caller's fallbacks, then other deployments of the
 * primary; at most three. Those that keep failing come last, those that the gateway cannot call are left out.
 */

import { allOf } from '../async/all-of.ts';
import type { Target } from '../core/catalog/model.ts';
import { GatewayError } from '../core/errors/errors.ts';
import type { Catalog } from '../core/ports/catalog.ts';
import {
  type DeploymentsParts,
  type DeploymentsRequest,
  deploymentsOf,
  type ModelDeployments,
  maxTargets,
  ownAlone,
  type Skipped,
} from './deployments.ts';
import { droppedFallbacks, type FallbackChange } from './dropped-fallbacks.ts';
import type { Health } from './health.ts';
import { failingLast } from './preference.ts';
import { fieldsMet } from './provider-preferences.ts';
import { type ModelNeeds, type RequestedName, resolveModel } from './resolve-model.ts';

interface PlanParts extends DeploymentsParts {
  readonly catalog: Catalog;
  readonly health: Health;
}

/** The models of a request, as the caller named them. */
export interface NamedModels {
  readonly model: string;
  readonly fallbacks: readonly string[];
  /** The fields of the fallbacks, if they are not `extra.fallbacks.<index>`. */
  readonly fallbackPaths?: readonly string[] | undefined;
}

export interface PlanRequest extends ModelNeeds, DeploymentsRequest, NamedModels {
  /** Of a target that `forbiddenBy` excludes. */
  readonly refusalOf?: ((excluded: Skipped) => GatewayError | undefined) | undefined;
}

export interface Plan {
  /** Never empty. */
  readonly targets: readonly [Target, ...Target[]];
  /** The id of the model that the request named. */
  readonly requestedId: string;
  /** Targets that would have come earlier, and those that the caller excludes. */
  readonly skipped: readonly Skipped[];
  /** By the model's id. */
  readonly names: ReadonlyMap<string, RequestedName>;
  readonly changes: readonly FallbackChange[];
}

/** Rejects with GatewayError for a model, or a fallback, that is unknown, not allowed, or cannot do what is needed. */
export async function plan(parts: PlanParts, request: PlanRequest): Promise<Plan> {
  const asked = namesIn(request);
  const resolved = await allOf(asked, (named) => resolveModel(parts.catalog, named, request));
  const distinct = resolved.filter(
    ({ model }, index) => resolved.findIndex((other) => other.model.id === model.id) === index,
  );
  const deployments = await allOf(distinct, ({ model }) => deploymentsOf(parts, model, request));
  const undisturbed = arrange(deployments.map(({ targets }) => targets));
  const arranged = arrange(deployments.map(({ targets }) => failingLast(targets, parts.health)));
  const [first = targetInstead(deployments, request.refusalOf), ...others] = failingLast(
    arranged,
    parts.health,
  );
  const targets = [first, ...others] as const;
  return {
    targets,
    requestedId: distinct[0]?.model.id ?? request.model,
    skipped: [...excludedOf(deployments), ...putBack(undisturbed, targets, parts.health)],
    names: new Map(distinct.map(({ name, param, model }) => [model.id, { name, param }])),
    changes: droppedFallbacks(resolved, deployments, targets),
  };
}

/** The model and its fallbacks, with the fields that name them. */
export function namesIn({ model, fallbacks, fallbackPaths }: NamedModels): readonly RequestedName[] {
  const pathOf = (index: number) => fallbackPaths?.[index] ?? `extra.fallbacks.${index}`;
  return [
    { name: model, param: 'model' },
    ...fallbacks.map((name, index) => ({ name, param: pathOf(index) })),
  ];
}

/** The first target of each model, then the others of the primary. */
function arrange([primary = [], ...fallbacks]: readonly (readonly Target[])[]): readonly Target[] {
  if (fallbacks.length === 0) return primary.slice(0, maxTargets);
  const firsts = [primary, ...fallbacks].flatMap(([first]) => first ?? []);
  return [...firsts, ...primary.slice(1)].slice(0, maxTargets);
}

/** If nothing can be called, the requested model's own failure is reported. */
function targetInstead([primary]: readonly ModelDeployments[], refusalOf: PlanRequest['refusalOf']): Target {
  const [target] = primary?.allowed ?? [];
  if (target) return target;
  // The deployment that met most says best what is in the way.
  const [excluded] = (primary?.excluded ?? []).toSorted(
    (one, other) => fieldsMet(other.reason) - fieldsMet(one.reason),
  );
  if (!excluded) throw new GatewayError('internal', 'A model of the catalog has no deployment.');
  throw refusalOf?.(excluded) ?? noDeploymentLeft(excluded);
}

const advice: Readonly<Record<string, string>> = {
  [ownAlone]:
    " The tenant's own provider keys are used alone for it, and none of them may serve this request.",
  'provider.data_collection': " The operator can say so in the catalog, with 'collectsData'.",
  'provider.zdr': " The operator can say so in the catalog, with 'retainsData'.",
  'provider.regions': " The operator can say in the catalog which ones it has, with 'regions'.",
};

function noDeploymentLeft({ target, reason }: Skipped): GatewayError {
  const { id, deployments } = target.model;
  if (reason === target.deployment.barredBy) {
    const message = `No deployment of the model '${id}' complies with the operator's setting '${reason}'.`;
    return new GatewayError('invalid_request', message, { param: 'model' });
  }
  const known = [...new Set(deployments.map(({ provider }) => provider))].join(', ');
  const message = `No deployment of the model '${id}' meets '${reason}'. It is served by: ${known}.${advice[reason] ?? ''}`;
  return new GatewayError('invalid_request', message, { param: reason });
}

const excludedOf = (deployments: readonly ModelDeployments[]) =>
  deployments.flatMap(({ excluded }) => excluded);

/** Those that come later than they would, because they keep failing. */
function putBack(
  undisturbed: readonly Target[],
  targets: readonly Target[],
  health: Health,
): readonly Skipped[] {
  return undisturbed
    .filter((target, index) => health.isFailing(target) && targets.indexOf(target) !== index)
    .map((target) => ({ target, reason: 'failing' }));
}
