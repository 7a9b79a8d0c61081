/** The places in a catalog row: who serves the model, in which region, in which ways and at which prices. */
import * as z from 'zod/mini';
import type { Deployment, Way } from '../../core/catalog/model.ts';
import type { DatedPrice } from '../../core/catalog/price.ts';
import { percent, type pricesSchema } from './price-row.ts';
import { type PricesRow, readPrices } from './read-price.ts';

/** Of the regions and areas of a place or way. */
const maxRegions = 40;
const maxWays = 20;

type ObjectKind = typeof z.strictObject;

/** `prices`: the fields of prices, which the row itself has, too. */
export function deploymentsSchema(object: ObjectKind, prices: ReturnType<typeof pricesSchema>) {
  const text = z.string();
  const flag = z.exactOptional(z.boolean());
  // For people, and not for requests: infra/catalog/row-notes.ts checks them.
  const note = z.exactOptional(z.unknown());
  const regions = z.array(text.check(z.regex(/^[a-z][a-z0-9-]{0,39}$/))).check(z.maxLength(maxRegions));
  const way = object({
    upstreamId: text,
    /** Absent: every region of the partition. */
    from: z.exactOptional(regions),
    /** Where requests go to besides the region that calls; none: they stay there. */
    regions,
    /** With neither, it costs what the place costs. */
    upliftPercent: z.exactOptional(percent()),
    ...prices,
    priceUnknown: z.exactOptional(z.literal(true)),
  });
  const place = object({
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
    regions: z.exactOptional(regions),
    ways: z.exactOptional(z.array(way).check(z.minLength(1), z.maxLength(maxWays))),
  });
  return z.array(place).check(z.minLength(1));
}

type DeploymentRow = z.output<ReturnType<typeof deploymentsSchema>>[number];

/** All that has prices of its own. */
export const withWays = (row: DeploymentRow): readonly PricesRow[] => [row, ...(row.ways ?? [])];

/** `modelPrices`: of a place without prices of its own. */
export function readDeployment(row: DeploymentRow, modelPrices: readonly DatedPrice[]): Deployment {
  const { price, laterPrices, sources: _, ends: __, differs: ___, ways, ...deployment } = row;
  const prices = readPrices(pricesOf(row));
  const place = { ...deployment, ...(prices.length > 0 && { prices }) };
  if (!ways) return place;
  const read = ways.map((way) => readWay(way, place.prices ?? modelPrices));
  const { region, upstreamId, regions } = place;
  const own: Way = {
    upstreamId,
    from: [region],
    ...(regions && { regions }),
    ...(place.prices && { prices }),
  };
  return { ...place, ways: [...read, own] };
}

type WayRow = NonNullable<DeploymentRow['ways']>[number];

function readWay(row: WayRow, placePrices: readonly DatedPrice[]): Way {
  const { price: _, laterPrices: __, upliftPercent, priceUnknown, ...way } = row;
  if (priceUnknown) return { ...way, prices: [] };
  const prices = readPrices(pricesOf(row));
  if (prices.length > 0) return { ...way, prices };
  if (upliftPercent === undefined) return way;
  return {
    ...way,
    prices: placePrices.map(({ from, price }) => ({ from, price: { ...price, upliftPercent } })),
  };
}

const pricesOf = ({ price, laterPrices }: PricesRow): PricesRow => ({
  ...(price && { price }),
  ...(laterPrices && { laterPrices }),
});
