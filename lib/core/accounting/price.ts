/** Finds the price of a target at a time, also of one that the ledger names. */

import type { Model, Target } from '../catalog/model.ts';
import type { DatedPrice } from '../catalog/price.ts';
import type { LedgerAttempt } from './ledger.ts';

/** The price that is valid at a time, in Unix seconds; undefined if none is known. */
export function priceAt(prices: readonly DatedPrice[], seconds: number): DatedPrice | undefined {
  return prices.findLast(({ from }) => from <= seconds);
}

/** The price of a target: the deployment's own, else the model's. */
export function priceOf({ model, deployment }: Target, seconds: number): DatedPrice | undefined {
  return priceAt(deployment.prices ?? model.prices, seconds);
}

/** The prices of the place of an attempt, oldest first; undefined if the catalog no longer has it. */
export function pricesOf(
  model: Model,
  { provider, region, upstreamId }: Pick<LedgerAttempt, 'provider' | 'region' | 'upstreamId'>,
): readonly DatedPrice[] | undefined {
  for (const place of model.deployments.filter((one) => one.provider === provider)) {
    const { ways, prices = model.prices } = place;
    // Records from before there were ways are of the place as its row has it.
    const way = upstreamId === undefined ? ways?.at(-1) : ways?.find((one) => one.upstreamId === upstreamId);
    if (way && (upstreamId !== undefined || way.from?.includes(region))) return way.prices ?? model.prices;
    if (place.region === region && (!ways || upstreamId === undefined)) return prices;
  }
  return undefined;
}
