/** The prices of a catalog row, or of one of its deployments, by the time from which they apply. Earlier ones stay, for bills of that time. */
import { isJsonObject, type JsonObject, objectsIn } from '../../core/formats/json-object.ts';

/**
 * The row with a further price; a price of the same time is replaced.
 * @param from A day or a time of UTC, as rows have it. @param make Makes the price of the one that applies then.
 */
export function addPrice(row: JsonObject, from: string, make: (old: JsonObject) => JsonObject): JsonObject {
  const at = Date.parse(from);
  const later = objectsIn(row.laterPrices);
  const others = later.filter((price) => startOf(price) !== at);
  const before = others.filter((price) => startOf(price) < at);
  return {
    ...row,
    laterPrices: [...before, { from, ...make(priceAt(row, at)) }, ...others.slice(before.length)],
  };
}

/** The price that applies then, without its time; an empty one where there is none. */
export function priceAt(row: JsonObject, at: number): JsonObject {
  const later = objectsIn(row.laterPrices).findLast((price) => startOf(price) <= at);
  const { from: _, ...price } = later ?? (isJsonObject(row.price) ? row.price : {});
  return price;
}

export const startOf = ({ from }: JsonObject): number => Date.parse(String(from));

const minute = 60_000;

/**
 * The first full minute after every function has read the changed row. Until then functions bill with the old price, and
 * from then on with the new one.
 */
export function soonAfter(now: number): string {
  const moment = Math.ceil((now + 1.5 * minute) / minute) * minute;
  return new Date(moment).toISOString().replace('.000Z', 'Z');
}
