/** A model of the catalog as the admin API shows it. */

import type { Deployment, Model } from '../../core/catalog/model.ts';
import { displayName } from '../../core/names/display-name.ts';
import type { PlaceSum } from '../../core/ports/place-sums.ts';
import type { RowSource } from '../../stores/catalog/catalog.ts';
import { healthOf, type Recent, withoutCounts } from '../health.ts';
import type { CapabilitiesAnswer, ModelAnswer, PlaceAnswer, WayAnswer } from './schema.ts';
import { type Buyer, hasFixedPrice, shownPrice } from './shown-price.ts';

interface ModelContext {
  readonly writtenBy: RowSource;
  readonly buyer: Buyer;
  readonly isAllowed: boolean;
  /** The operator's names for it. */
  readonly aliases: readonly string[];
  /** Undefined where nothing is known of calls. */
  readonly recent: Recent | undefined;
  /** Operators see the providers' ids, and how much all tenants together call the places. */
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
    places: deployments.map((place) => writePlace(place, model, context)),
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

function writePlace(
  place: Deployment,
  model: Model,
  { buyer, recent, isForOperator }: ModelContext,
): PlaceAnswer {
  const { provider, region, equalToPrevious = false, collectsData = null, retainsData = null } = place;
  const health = healthOf(recent, (sum) => sum.model === model.id && isOf(place, model, sum));
  return {
    provider,
    region,
    ways: waysOf(place).map((way) => ({
      ...writeWay(way, model.id, buyer),
      upstream_id: isForOperator ? way.upstreamId : null,
    })),
    equal_to_previous: equalToPrevious,
    collects_data: collectsData,
    retains_data: retainsData,
    health: isForOperator ? health : withoutCounts(health),
  };
}

/** A place with several ways is called in the region that calls it, and records name that one. */
function isOf(place: Deployment, { deployments }: Model, sum: PlaceSum): boolean {
  if (sum.provider !== place.provider) return false;
  if (sum.region === place.region || !place.ways) return sum.region === place.region;
  return !deployments.some((other) => other.provider === sum.provider && other.region === sum.region);
}

type WayFacts = Pick<Deployment, 'upstreamId' | 'regions' | 'prices'> & { readonly from?: readonly string[] };

const waysOf = (place: Deployment): readonly WayFacts[] => place.ways ?? [place];

function writeWay(way: WayFacts, model: string, buyer: Buyer): Omit<WayAnswer, 'upstream_id'> {
  const { from, regions, prices } = way;
  const isOwn = prices !== undefined && !hasFixedPrice(model, buyer);
  return {
    from: from ? [...from] : null,
    regions: regions ? [...regions] : null,
    price: isOwn ? shownPrice(prices, model, buyer) : null,
    price_known: prices === undefined || prices.length > 0,
  };
}
