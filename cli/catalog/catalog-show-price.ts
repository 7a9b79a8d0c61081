/** `catalog price`: what a model costs now and later, one line for each amount. */
import { amountsOf } from '../../lib/admin/models/price-amounts.ts';
import { priceAt } from '../../lib/core/accounting/price.ts';
import type { Model } from '../../lib/core/catalog/model.ts';
import type { DatedPrice, Price } from '../../lib/core/catalog/price.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { callAdmin } from '../call-admin.ts';
import type { Command } from '../command.ts';
import { formatOptions, type Row, writeListing } from '../listing.ts';
import { ownedModel } from './rows.ts';

const columns = ['deployment', 'from', 'applies_to', 'what', 'usd', 'per'];

export const catalogPrice: Command = {
  name: 'catalog price',
  summary: 'Show what a model costs, now and later',
  description:
    'One line for each amount. An amount that is not listed is that of input or output; other things without one have no known cost.',
  arguments: ['model'],
  options: formatOptions,
  examples: ['catalog price openai/gpt-5.5', 'catalog price deepseek/deepseek-flash --format csv'],
  async run({ arguments: [id = ''], terminal, format, ...context }) {
    const { row } = await callAdmin(context, 'admin-models-retrieve', ownedModel(id));
    const model = readModelRow(row);
    writeListing({ terminal, format }, rowsOf(model, Date.now() / 1000), columns);
    if (hasFreeAllowance(model))
      terminal.writeError('Some use is free at the provider. It is billed all the same.');
  },
};

function rowsOf(model: Model, now: number): readonly Row[] {
  const deployments = [
    { deployment: '', prices: model.prices },
    ...model.deployments.map(({ provider, region, prices = [] }) => ({
      deployment: `${provider}:${region}`,
      prices,
    })),
  ];
  return deployments.flatMap(({ deployment, prices }) =>
    fromNow(prices, now).flatMap(({ from, price }) =>
      linesOf(price).map((line) => ({ deployment, from: dateOf(from), ...line })),
    ),
  );
}

/** The price in force, and those after it. */
function fromNow(prices: readonly DatedPrice[], now: number): readonly DatedPrice[] {
  const present = priceAt(prices, now);
  return present ? prices.slice(prices.indexOf(present)) : prices;
}

const dateOf = (seconds: number): string =>
  seconds === 0
    ? ''
    : new Date(seconds * 1000).toISOString().replace('T00:00:00.000Z', '').replace('.000Z', 'Z');

/** In dollars: exact as a number, since a catalog row has at most six decimals. */
const linesOf = (price: Price) =>
  amountsOf(price).map(({ what, per, appliesTo, amount }) => ({
    applies_to: appliesTo,
    what,
    usd: typeof amount === 'string' ? amount : amount.nanoDollars / 10 ** amount.exponent,
    per,
  }));

const hasFreeAllowance = ({ prices, deployments }: Model): boolean =>
  [...prices, ...deployments.flatMap((one) => one.prices ?? [])].some(({ price }) => price.freeAllowance);
