/** `catalog set-price`: the price of a model from a day, or from now. Earlier prices stay, for bills of that time. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { type Command, withInstallation } from '../command.ts';
import { jsonOption } from '../output/listing.ts';
import { changeRow, ownedNow } from './catalog-change.ts';
import { deploymentsWithOwnPrice, type PriceChange, priceFrom, withPrice } from './catalog-price.ts';
import { priceOptions, readFrom, readPriceChange } from './catalog-price-options.ts';

export const catalogSetPrice: Command = {
  name: 'catalog set-price',
  summary: 'Set the price of a model',
  description:
    'Earlier prices stay in the history. Amounts that are not given stay unchanged; none removes an amount.',
  arguments: ['model'],
  options: {
    ...priceOptions,
    deployment: {
      value: '<provider[:region]>',
      description: 'Set the price of this deployment only',
    },
    ...jsonOption,
  },
  examples: [
    'catalog set-price openai/gpt-5.5 --input 5 --output 30 --from 2027-01-01',
    'catalog set-price openai/gpt-5.5 --input 4 --output 24 --deployment azure',
    'catalog set-price openai/gpt-5.5 --input 2.5 --output 15 --service-tier flex',
    'catalog set-price deepseek/deepseek-flash --input 0.3 --output 1.2 --at 01:00-04:00,06:00-10:00',
  ],
  async run({ arguments: [id = ''], options, terminal, ...context }) {
    const { deployment } = options;
    const change: PriceChange = {
      from: readFrom(options.from, Date.now()),
      ...(deployment !== undefined && { deployment }),
      make: readPriceChange(options),
    };
    const changed = await withInstallation(context, (installation) =>
      changeRow(installation, id, (row) => withPrice(row, change)),
    );
    terminal.write(JSON.stringify(priceFrom(changed, change).price, null, 2));
    for (const line of remarks(changed, change)) terminal.writeError(line);
  },
};

function remarks(row: JsonObject, change: PriceChange): readonly string[] {
  const { from, deployment } = change;
  const { until } = priceFrom(row, change);
  const others = deployment === undefined ? deploymentsWithOwnPrice(row) : [];
  return [
    `This price applies from ${from}${until === undefined ? '' : ` until ${until}`}. ${ownedNow}`,
    ...(others.length > 0 ? [`These deployments keep their own price: ${others.join(', ')}`] : []),
    ...(Date.parse(from) < Date.now()
      ? ['Requests since then may have been billed at another price. To find them, run: usage recompute']
      : []),
  ];
}
