/** What a million tokens of a model cost, in lists. */
import type { PriceAnswer } from '../../lib/admin/models/schema.ts';
import type { Column } from '../components/table/table.tsx';

type Kind = 'input' | 'output';

/** Such as by images or characters: these tokens are not what it is charged by, and not free. */
const isPricedOtherwise = (price: PriceAnswer, name: Kind): boolean =>
  Number(price[name]) === 0 && price.lines.some(({ usd }) => Number.parseFloat(usd) > 0);

interface Priced {
  readonly price?: PriceAnswer | null | undefined;
}

export const priceColumn = (name: Kind, title: string): Column<Priced> => ({
  name,
  title,
  // To sort by, and for files.
  value: ({ price }) => (price && !isPricedOtherwise(price, name) ? Number(price[name]) : null),
  cell: ({ price }) => <TokenPrice price={price} name={name} />,
  kind: 'number',
});

function TokenPrice({ price, name }: Priced & { readonly name: Kind }) {
  if (!price) return <span class="quiet">unknown</span>;
  return isPricedOtherwise(price, name) ? <span class="quiet">–</span> : <>${price[name]}</>;
}
