/** A price with its day in the row of a model, or of one place of it. */
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import { isJsonObject, withoutUndefined } from '../../../lib/core/json-object.ts';
import { UsageError } from '../command.ts';

export interface PriceChange {
  /** The day, or the moment, from which it holds. */
  readonly from: string;
  /** `provider`, or `provider:region`; absent: the model's own price. */
  readonly place?: string;
  /** From the price that holds then, without its day. */
  readonly make: (old: JsonObject) => JsonObject;
}

/** The row with one price more; one of the very same time is replaced. */
export function withPrice(row: JsonObject, { from, place, make }: PriceChange): JsonObject {
  if (place === undefined) return addPrice(row, from, make);
  const chosen = placeNamed(row, place);
  // Until then, a place without a price of its own has the model's.
  const { price, laterPrices } = row;
  const before = hasOwnPrice(chosen) ? chosen : { ...chosen, ...withoutUndefined({ price, laterPrices }) };
  const changed = addPrice(before, from, make);
  return { ...row, deployments: placesOf(row).map((one) => (one === chosen ? changed : one)) };
}

/** The price that begins at that very time, and when the one after it does. */
export function priceFrom(row: JsonObject, { from, place }: PriceChange) {
  const at = place === undefined ? row : placeNamed(row, place);
  const prices = objectsOf(at.laterPrices);
  const next = prices.find((price) => startOf(price) > Date.parse(from));
  return {
    price: prices.find((price) => price.from === from),
    ...(next && { until: String(next.from) }),
  };
}

/** The places that do not have the model's price. */
export function placesWithOwnPrice(row: JsonObject): readonly string[] {
  return placesOf(row).filter(hasOwnPrice).map(nameOf);
}

function addPrice(row: JsonObject, from: string, make: PriceChange['make']): JsonObject {
  const at = Date.parse(from);
  const later = objectsOf(row.laterPrices);
  const before = later.filter((price) => startOf(price) < at);
  const after = later.filter((price) => startOf(price) > at);
  const same = later.find((price) => startOf(price) === at);
  const { from: _, ...old } = same ?? before.at(-1) ?? (isJsonObject(row.price) ? row.price : {});
  return { ...row, laterPrices: [...before, { from, ...make(old) }, ...after] };
}

const objectsOf = (list: unknown): readonly JsonObject[] =>
  Array.isArray(list) ? list.filter(isJsonObject) : [];

const startOf = ({ from }: JsonObject) => Date.parse(String(from));

const placesOf = ({ deployments }: JsonObject) => objectsOf(deployments);

const nameOf = ({ provider, region }: JsonObject) => `${provider}:${region}`;

const hasOwnPrice = ({ price, laterPrices }: JsonObject) => (price ?? laterPrices) !== undefined;

/** Throws UsageError where it is not exactly one. */
function placeNamed(row: JsonObject, named: string): JsonObject {
  const places = placesOf(row);
  const [found, other] = places.filter((place) => named === place.provider || named === nameOf(place));
  if (found && !other) return found;
  const problem = found ? 'more than one place' : 'no place';
  throw new UsageError(`--place names ${problem} of this model: ${places.map(nameOf).join(', ')}`);
}
