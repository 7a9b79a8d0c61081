/** What a million tokens of a model cost, in lists. */
import type { PriceAnswer } from '../../lib/admin/models/schema.ts';

type Kind = 'input' | 'output';

/** Such as by images or characters: these tokens are not what it is charged by, and not free. */
const isPricedOtherwise = (price: PriceAnswer, name: Kind): boolean =>
  Number(price[name]) === 0 && price.lines.some(({ usd }) => Number.parseFloat(usd) > 0);

/** To sort by, and for files. */
export const priceNumber = (price: PriceAnswer | null | undefined, name: Kind): number | null =>
  price && !isPricedOtherwise(price, name) ? Number(price[name]) : null;

export function TokenPrice({
  of: price,
  name,
}: {
  readonly of: PriceAnswer | null | undefined;
  readonly name: Kind;
}) {
  if (!price) return <span class="quiet">unknown</span>;
  return isPricedOtherwise(price, name) ? <span class="quiet">–</span> : <>${price[name]}</>;
}
