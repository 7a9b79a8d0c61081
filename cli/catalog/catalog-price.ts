/** Adds a price with its start day to the row of a model, or to one of its deployments. */

import { isJsonObject, withoutUndefined } from '../../lib/core/formats/json-object.ts';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { UsageError } from '../command.ts';

export interface PriceChange {
  /** The day, or the time, from which it applies. */
  readonly from: string;
  /** `provider` or `provider:region`; absent: the price of the model. */
  readonly deployment?: string;
  /** Makes the new price from the one that applies then, without its day. */
  readonly make: (old: JsonObject) => JsonObject;
}

/** The row with a further price; a price of the same time is replaced. */
export function withPrice(row: JsonObject, { from, deployment, make }: PriceChange): JsonObject {
  if (deployment === undefined) return addPrice(row, from, make);
  const chosen = deploymentNamed(row, deployment);
  // Until then, a deployment without a price of its own has the model's price.
  const { price, laterPrices } = row;
  const before = hasOwnPrice(chosen) ? chosen : { ...chosen, ...withoutUndefined({ price, laterPrices }) };
  const changed = addPrice(before, from, make);
  return { ...row, deployments: deploymentsOf(row).map((one) => (one === chosen ? changed : one)) };
}

/** The price that starts at that time, and the start of the next one. */
export function priceFrom(row: JsonObject, { from, deployment }: PriceChange) {
  const at = deployment === undefined ? row : deploymentNamed(row, deployment);
  const prices = objectsOf(at.laterPrices);
  const next = prices.find((price) => startOf(price) > Date.parse(from));
  return {
    price: prices.find((price) => price.from === from),
    ...(next && { until: String(next.from) }),
  };
}

/** The deployments that do not use the model's price. */
export function deploymentsWithOwnPrice(row: JsonObject): readonly string[] {
  return deploymentsOf(row).filter(hasOwnPrice).map(nameOf);
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

const deploymentsOf = ({ deployments }: JsonObject) => objectsOf(deployments);

const nameOf = ({ provider, region }: JsonObject) => `${provider}:${region}`;

const hasOwnPrice = ({ price, laterPrices }: JsonObject) => (price ?? laterPrices) !== undefined;

/** Throws UsageError unless it is exactly one. */
function deploymentNamed(row: JsonObject, named: string): JsonObject {
  const all = deploymentsOf(row);
  const [found, other] = all.filter((one) => named === one.provider || named === nameOf(one));
  if (found && !other) return found;
  const problem = found ? 'matches more than one deployment' : 'matches no deployment';
  throw new UsageError(`--deployment ${problem} of this model: ${all.map(nameOf).join(', ')}`);
}
