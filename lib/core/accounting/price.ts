/** Finds the price of a target at a time. */
import type { DatedPrice, Target } from '../model.ts';

/** The price that is valid at a time, in Unix seconds; undefined if none is known. */
export function priceAt(prices: readonly DatedPrice[], seconds: number): DatedPrice | undefined {
  return prices.findLast(({ from }) => from <= seconds);
}

/** The price of a target: the deployment's own, else the model's. */
export function priceOf({ model, deployment }: Target, seconds: number): DatedPrice | undefined {
  return priceAt(deployment.prices ?? model.prices, seconds);
}
