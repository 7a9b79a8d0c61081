/**
 * Resolves the places that depend on the region that calls them: those of Bedrock. It is done once, when a row is read, so that
 * routing, metering and logs know only the place that is called.
 */
import { allowedRegions } from '../../core/catalog/geography.ts';
import type { Deployment, Model, Way } from '../../core/catalog/model.ts';
import { areWithin, isWithin } from '../../core/catalog/regions.ts';

export interface Caller {
  /** The region from which Bedrock is called. */
  readonly region: string;
  /** As `core/geography.ts` has it. */
  readonly geography: string;
  /** Whether a region is of the same partition of AWS, so that the credentials are of use there. */
  readonly isPartner: (region: string) => boolean;
}

/** The settings that a place may not comply with, as operators know them. */
const geographySetting = 'bedrockGeography';
const regionSetting = 'bedrockRegion';

export function resolvePlaces(model: Model, caller: Caller): Model {
  if (!model.deployments.some(isOfBedrock)) return model;
  const deployments = model.deployments.map((place) => (isOfBedrock(place) ? resolve(place, caller) : place));
  return { ...model, deployments };
}

const isOfBedrock = ({ provider }: Deployment) => provider === 'bedrock';

function resolve(place: Deployment, caller: Caller): Deployment {
  const reached = placesOf(place, caller);
  const allowed = allowedRegions(caller.region, caller.geography);
  const complying = reached.filter(({ regions }) => !allowed || areWithin(regions, allowed));
  const [first] = complying;
  if (!first) return { ...place, barredBy: reached.length > 0 ? geographySetting : regionSetting };
  return caller.geography === 'global' ? (complying.findLast((one) => one !== place) ?? first) : first;
}

/** What the caller can reach, the preferred first; at last the place as its row has it, in a region that may be another one. */
function placesOf(place: Deployment, { region, isPartner }: Caller): readonly Deployment[] {
  const { ways } = place;
  if (!ways) return [place];
  const isNear = isPartner(place.region);
  const reached = ways
    .slice(0, -1)
    .filter(({ from }) => (from ? from.some((area) => isWithin(region, area)) : isNear));
  return [...reached.map((way) => byWay(place, way, region)), ...(isNear ? [place] : [])];
}

/** A place called in one of its ways. What it keeps, it keeps in the calling region. */
function byWay(place: Deployment, { upstreamId, regions, prices }: Way, region: string): Deployment {
  const elsewhere = regions?.some((area) => isWithin(region, area)) ? regions : [region, ...(regions ?? [])];
  return {
    ...place,
    region,
    upstreamId,
    ...(regions && { regions: elsewhere }),
    ...(prices && { prices }),
  };
}
