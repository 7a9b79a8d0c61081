/** The deployments in a catalog row: who serves the model, in which region, by which routes and at which prices. */
import * as z from 'zod/mini';
import { lazy } from '../../async/lazy.ts';
import type { Deployment, Route } from '../../core/catalog/model.ts';
import type { DatedPrice } from '../../core/catalog/price.ts';
import type { strictObjectOf } from '../../core/formats/given-fields.ts';
import { percent, type pricesSchema } from './price-row.ts';
import { type PricesRow, readPrices } from './read-price.ts';

/** Of the regions and region groups of a deployment or route. */
const maxRegions = 40;
const maxRoutes = 20;

type ObjectKind = typeof strictObjectOf;

/** `prices`: the fields of prices, which the row itself has, too. */
export function deploymentsSchema(object: ObjectKind, prices: ReturnType<typeof pricesSchema>) {
  const text = z.string();
  const flag = lazy(() => z.exactOptional(z.boolean()));
  // For people, and not for requests: lib/admin/catalog/row-notes.ts checks them.
  const note = lazy(() => z.exactOptional(z.unknown()));
  const regions = z.array(text.check(z.regex(/^[a-z][a-z0-9-]{0,39}$/))).check(z.maxLength(maxRegions));
  const optionalRegions = lazy(() => z.exactOptional(regions));
  const route = () =>
    object({
      upstreamId: text,
      /** Absent: every region of the partition. */
      from: optionalRegions,
      /** Where requests go to besides the region that calls; none: they stay there. */
      regions,
      /** With neither, it costs what the deployment costs. */
      upliftPercent: () => z.exactOptional(percent()),
      ...prices,
      priceUnknown: () => z.exactOptional(z.literal(true)),
    });
  const deployment = object({
    provider: text,
    region: text,
    upstreamId: text,
    ...prices,
    sources: note,
    ends: note,
    differs: note,
    equalToPrevious: flag,
    collectsData: flag,
    retainsData: flag,
    regions: optionalRegions,
    ways: () => z.exactOptional(z.array(route()).check(z.minLength(1), z.maxLength(maxRoutes))),
  });
  return z.array(deployment).check(z.minLength(1));
}

type DeploymentRow = z.output<ReturnType<typeof deploymentsSchema>>[number];

/** All that has prices of its own. */
export const withRoutes = (row: DeploymentRow): readonly PricesRow[] => [row, ...(row.ways ?? [])];

/** `modelPrices`: of a deployment without prices of its own. */
export function readDeployment(row: DeploymentRow, modelPrices: readonly DatedPrice[]): Deployment {
  const { price, laterPrices, sources: _, ends: __, differs: ___, ways, ...facts } = row;
  const prices = readPrices(pricesOf(row));
  const deployment = { ...facts, ...(prices.length > 0 && { prices }) };
  if (!ways) return deployment;
  const read = ways.map((route) => readRoute(route, deployment.prices ?? modelPrices));
  const { region, upstreamId, regions } = deployment;
  const own: Route = {
    upstreamId,
    from: [region],
    ...(regions && { regions }),
    ...(deployment.prices && { prices }),
  };
  return { ...deployment, routes: [...read, own] };
}

type RouteRow = NonNullable<DeploymentRow['ways']>[number];

function readRoute(row: RouteRow, deploymentPrices: readonly DatedPrice[]): Route {
  const { price: _, laterPrices: __, upliftPercent, priceUnknown, ...route } = row;
  if (priceUnknown) return { ...route, prices: [] };
  const prices = readPrices(pricesOf(row));
  if (prices.length > 0) return { ...route, prices };
  if (upliftPercent === undefined) return route;
  return {
    ...route,
    prices: deploymentPrices.map(({ from, price }) => ({ from, price: { ...price, upliftPercent } })),
  };
}

const pricesOf = ({ price, laterPrices }: PricesRow): PricesRow => ({
  ...(price && { price }),
  ...(laterPrices && { laterPrices }),
});
