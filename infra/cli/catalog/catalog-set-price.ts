/** `catalog set-price`: what a model costs from a day, or from now on. Earlier prices stay, for bills made by them. */
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import { type Command, withInstallation } from '../command.ts';
import { changeRow, ownedNow } from './catalog-change.ts';
import { type PriceChange, placesWithOwnPrice, priceFrom, withPrice } from './catalog-price.ts';
import { priceOptions, readFrom, readPriceChange } from './catalog-price-options.ts';

export const catalogSetPrice: Command = {
  name: 'catalog set-price',
  summary:
    'Set the price of a model. Earlier prices stay. What is not given stays as it was; none takes it away.',
  arguments: ['model'],
  options: {
    ...priceOptions,
    place: {
      value: '<provider[:region]>',
      description: 'Only where this provider serves it, which has a price of its own from then on',
    },
  },
  async run({ arguments: [id = ''], options, terminal, ...context }) {
    const { place } = options;
    const change: PriceChange = {
      from: readFrom(options.from, Date.now()),
      ...(place !== undefined && { place }),
      make: readPriceChange(options),
    };
    const changed = await withInstallation(context, (installation) =>
      changeRow(installation, id, (row) => withPrice(row, change)),
    );
    terminal.write(JSON.stringify(priceFrom(changed, change).price, null, 2));
    for (const line of remarks(changed, change)) terminal.tell(line);
  },
};

function remarks(row: JsonObject, change: PriceChange): readonly string[] {
  const { from, place } = change;
  const { until } = priceFrom(row, change);
  const others = place === undefined ? placesWithOwnPrice(row) : [];
  return [
    `This is the price from ${from} ${until === undefined ? 'on' : `until ${until}`}. ${ownedNow}`,
    ...(others.length > 0
      ? [`These places have a price of their own, which stays: ${others.join(', ')}`]
      : []),
    ...(Date.parse(from) < Date.now()
      ? ['Bills since then may have been made by another price. What differs is told by: usage recompute']
      : []),
  ];
}
