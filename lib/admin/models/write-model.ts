/** A model of the catalog as the admin API shows it. */

import type { Deployment, Model } from '../../core/catalog/model.ts';
import { displayName } from '../../core/names/display-name.ts';
import type { DeploymentSum } from '../../core/ports/deployment-sums.ts';
import type { RowSource } from '../../stores/catalog/catalog.ts';
import { healthOf, type Recent, withoutCounts } from '../health.ts';
import type { CapabilitiesAnswer, DeploymentAnswer, ModelAnswer, RouteAnswer } from './schema.ts';
import { type Buyer, hasFixedPrice, shownPrice } from './shown-price.ts';

interface ModelContext {
  readonly writtenBy: RowSource;
  readonly buyer: Buyer;
  readonly isAllowed: boolean;
  /** The operator's names for it. */
  readonly aliases: readonly string[];
  /** Undefined where nothing is known of calls. */
  readonly recent: Recent | undefined;
  /** Operators see the providers' ids, and how much all tenants together call the deployments. */
  readonly isForOperator: boolean;
}

export function writeModel(model: Model, context: ModelContext): ModelAnswer {
  const { id, owner, status, replacement = null, created, limits, prices, deployments } = model;
  return {
    object: 'model',
    id,
    owner,
    name: displayName(id),
    status,
    replacement,
    created_at: created,
    aliases: [...(model.aliases ?? []), ...context.aliases],
    capabilities: capabilitiesOf(model),
    context: { window: limits.context, input: limits.input, output: limits.output },
    allowed: context.isAllowed,
    written_by: context.writtenBy,
    price: shownPrice(prices, id, context.buyer),
    places: deployments.map((deployment) => writeDeployment(deployment, model, context)),
  };
}

function capabilitiesOf({ endpoints, modalities, traits }: Model): CapabilitiesAnswer {
  const { reasoning, structuredOutput = null, webSearch = false, fillsIn = false, embedding } = traits;
  return {
    operations: [...endpoints],
    input: [...modalities.input],
    output: [...modalities.output],
    reasoning: reasoning
      ? { efforts: [...reasoning.efforts], default_effort: reasoning.defaultEffort }
      : null,
    structured_output: structuredOutput,
    web_search: webSearch,
    fills_in: fillsIn,
    dimensions: embedding?.dimensions.default ?? null,
  };
}

function writeDeployment(
  deployment: Deployment,
  model: Model,
  { buyer, recent, isForOperator }: ModelContext,
): DeploymentAnswer {
  const { provider, region, equalToPrevious = false, collectsData = null, retainsData = null } = deployment;
  const health = healthOf(recent, (sum) => sum.model === model.id && isOf(deployment, model, sum));
  return {
    provider,
    region,
    ways: routesOf(deployment).map((route) => ({
      ...writeRoute(route, model.id, buyer),
      upstream_id: isForOperator ? route.upstreamId : null,
    })),
    equal_to_previous: equalToPrevious,
    collects_data: collectsData,
    retains_data: retainsData,
    health: isForOperator ? health : withoutCounts(health),
  };
}

/** A deployment with several routes is called in the region that calls it, and records name that one. */
function isOf(deployment: Deployment, { deployments }: Model, sum: DeploymentSum): boolean {
  if (sum.provider !== deployment.provider) return false;
  if (sum.region === deployment.region) return true;
  const isOfOther = ({ provider, region }: Deployment) => provider === sum.provider && region === sum.region;
  return deployment.routes !== undefined && !deployments.some(isOfOther);
}

type RouteFacts = Pick<Deployment, 'upstreamId' | 'regions' | 'prices'> & {
  readonly from?: readonly string[];
};

const routesOf = (deployment: Deployment): readonly RouteFacts[] => deployment.routes ?? [deployment];

function writeRoute(route: RouteFacts, model: string, buyer: Buyer): Omit<RouteAnswer, 'upstream_id'> {
  const { from, regions, prices } = route;
  const isOwn = prices !== undefined && !hasFixedPrice(model, buyer);
  return {
    from: from ? [...from] : null,
    regions: regions ? [...regions] : null,
    price: isOwn ? shownPrice(prices, model, buyer) : null,
    price_known: prices === undefined || prices.length > 0,
  };
}
