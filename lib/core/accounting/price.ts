/** Which price holds where and when. */
import type { DatedPrice, Target } from '../model.ts';

/** The last of the prices that holds at a time, in Unix seconds; undefined where none is known. */
export function priceAt(prices: readonly DatedPrice[], seconds: number): DatedPrice | undefined {
  return prices.findLast(({ from }) => from <= seconds);
}

/** What a target asks: its place's own price, else the model's. */
export function priceOf({ model, deployment }: Target, seconds: number): DatedPrice | undefined {
  return priceAt(deployment.prices ?? model.prices, seconds);
}
