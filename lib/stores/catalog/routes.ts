/**
 * Resolves the deployments that depend on the region that calls them: those of Bedrock. It is done once, when a row is read, so that
 * routing, metering and logs know only the deployment that is called.
 */
import { allowedRegions } from '../../core/catalog/geography.ts';
import type { Deployment, Model, Route } from '../../core/catalog/model.ts';
import { areWithin, isWithin } from '../../core/catalog/regions.ts';

interface Caller {
  /** The region from which Bedrock is called. */
  readonly region: string;
  /** As `core/geography.ts` has it. */
  readonly geography: string;
  /** Whether a region is of the same partition of AWS, so that the credentials are of use there. */
  readonly isPartner: (region: string) => boolean;
}

/** The settings that a deployment may not comply with, as operators know them. */
const geographySetting = 'bedrockGeography';
const regionSetting = 'bedrockRegion';

export function resolveDeployments(model: Model, caller: Caller): Model {
  if (!model.deployments.some(isOfBedrock)) return model;
  const deployments = model.deployments.map((deployment) =>
    isOfBedrock(deployment) ? resolve(deployment, caller) : deployment,
  );
  return { ...model, deployments };
}

const isOfBedrock = ({ provider }: Deployment) => provider === 'bedrock';

function resolve(deployment: Deployment, caller: Caller): Deployment {
  const reached = deploymentsOf(deployment, caller);
  const allowed = allowedRegions(caller.region, caller.geography);
  const complying = reached.filter(({ regions }) => !allowed || areWithin(regions, allowed));
  const [first] = complying;
  if (!first) return { ...deployment, barredBy: reached.length > 0 ? geographySetting : regionSetting };
  return caller.geography === 'global' ? (complying.findLast((one) => one !== deployment) ?? first) : first;
}

/** What the caller can reach, the preferred first; at last the deployment as its row has it, in a region that may be another one. */
function deploymentsOf(deployment: Deployment, { region, isPartner }: Caller): readonly Deployment[] {
  const { routes } = deployment;
  if (!routes) return [deployment];
  const isNear = isPartner(deployment.region);
  const reached = routes
    .slice(0, -1)
    .filter(({ from }) => (from ? from.some((group) => isWithin(region, group)) : isNear));
  return [...reached.map((route) => byRoute(deployment, route, region)), ...(isNear ? [deployment] : [])];
}

/** A deployment called by one of its routes. What it keeps, it keeps in the calling region. */
function byRoute(deployment: Deployment, { upstreamId, regions, prices }: Route, region: string): Deployment {
  const elsewhere = regions?.some((group) => isWithin(region, group))
    ? regions
    : [region, ...(regions ?? [])];
  return {
    ...deployment,
    region,
    upstreamId,
    ...(regions && { regions: elsewhere }),
    ...(prices && { prices }),
  };
}
