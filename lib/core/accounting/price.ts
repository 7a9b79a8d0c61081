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

/** The prices of the deployment of an attempt, oldest first; undefined if the catalog no longer has it. */
export function pricesOf(
  model: Model,
  { provider, region, upstreamId }: Pick<LedgerAttempt, 'provider' | 'region' | 'upstreamId'>,
): readonly DatedPrice[] | undefined {
  for (const deployment of model.deployments.filter((one) => one.provider === provider)) {
    const { routes, prices = model.prices } = deployment;
    // Records from before there were routes are of the deployment as its row has it.
    const route =
      upstreamId === undefined ? routes?.at(-1) : routes?.find((one) => one.upstreamId === upstreamId);
    if (route && (upstreamId !== undefined || route.from?.includes(region)))
      return route.prices ?? model.prices;
    if (deployment.region === region && (!routes || upstreamId === undefined)) return prices;
  }
  return undefined;
}
