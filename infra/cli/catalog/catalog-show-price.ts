/** `catalog price`: what a model costs now and later, one line for each amount. */
import { priceAt } from '../../../lib/core/accounting/price.ts';
import type { DatedPrice, HourPrices, Model, Price, TieredPrices } from '../../../lib/core/model.ts';
import { readModelRow } from '../../../lib/stores/catalog/model-row.ts';
import { weekdays } from '../../../lib/stores/catalog/price-row.ts';
import { type Command, withInstallation } from '../command.ts';
import { formatOptions, readFormat, writeListing } from '../output/listing.ts';
import type { Row } from '../output/rows.ts';
import { findRow } from './catalog-show.ts';

const columns = ['deployment', 'from', 'applies_to', 'what', 'usd', 'per'].map((name) => ({ name }));

export const catalogPrice: Command = {
  name: 'catalog price',
  summary: 'Show what a model costs, now and later',
  description:
    'One line for each amount. An amount that is not listed is that of input or output; other things without one have no known cost.',
  arguments: ['model'],
  options: formatOptions,
  examples: ['catalog price openai/gpt-5.5', 'catalog price deepseek/deepseek-flash --format csv'],
  async run({ arguments: [id = ''], options, flags, terminal, ...context }) {
    const format = readFormat({ options, flags });
    const { row } = await withInstallation(context, (installation) => findRow(installation, id));
    const model = readModelRow(row);
    writeListing(terminal, { columns, rows: rowsOf(model, Date.now() / 1000) }, format);
    if (hasFreeAllowance(model))
      terminal.writeError('Some use is free at the provider. It is billed all the same.');
  },
};

function rowsOf(model: Model, now: number): readonly Row[] {
  const places = [
    { deployment: '', prices: model.prices },
    ...model.deployments.map(({ provider, region, prices = [] }) => ({
      deployment: `${provider}:${region}`,
      prices,
    })),
  ];
  return places.flatMap(({ deployment, prices }) =>
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

interface Line {
  readonly applies_to: string;
  readonly what: string;
  readonly usd: number | string;
  readonly per: string;
}

function linesOf(price: Price): readonly Line[] {
  return [
    ...serviceLines(price, ''),
    ...(price.hours ?? []).flatMap((hours) => serviceLines(hours, timesOf(hours))),
    ...otherLines(price),
  ];
}

function serviceLines(prices: Price | HourPrices, when: string): readonly Line[] {
  const { serviceTiers = {} } = prices;
  return [
    ...tieredLines(prices, when),
    ...Object.entries(serviceTiers).flatMap(([name, tier]) =>
      tieredLines(tier, joined(when, `tier ${name}`)),
    ),
  ];
}

function tieredLines(prices: TieredPrices, when: string): readonly Line[] {
  const { tiers = [] } = prices;
  return [
    ...tokenLines(prices, when),
    ...tiers.flatMap(({ aboveInputTokens, ...tier }) =>
      tokenLines(tier, joined(when, `above ${aboveInputTokens} input tokens`)),
    ),
  ];
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ');

const amounts = [
  'input',
  'output',
  'cachedInput',
  'cacheWrite',
  'cacheWriteHour',
  'reasoning',
  'imageInput',
  'cachedImageInput',
  'audioInput',
  'cachedAudioInput',
  'imageOutput',
] as const;

const tokenLines = (prices: TieredPrices, when: string): readonly Line[] =>
  amounts.flatMap((what) => {
    const nanoDollars = prices[what] ?? null;
    return nanoDollars === null ? [] : [line(what, nanoDollars / 1_000, 'million tokens', when)];
  });

const line = (what: string, usd: number | string, per: string, when = ''): Line => ({
  applies_to: when,
  what,
  usd,
  per,
});

/** Fields of a price in nano-dollars, how many of them are a dollar for the unit, and the unit. */
const others = [
  ['request', 1_000_000, 'thousand'],
  ['webSearch', 1_000_000, 'thousand'],
  ['webSearchRequest', 1_000_000, 'thousand'],
  ['image', 1_000_000_000, 'image'],
  ['cacheStorage', 1_000, 'million tokens and hour'],
] as const;

function otherLines(price: Price): readonly Line[] {
  const { hostedTools = {}, upliftPercent, statedCost } = price;
  return [
    ...others.flatMap(([what, dollar, per]) => {
      const amount = price[what];
      return amount === undefined ? [] : [line(what, amount / dollar, per)];
    }),
    ...Object.entries(hostedTools).map(([name, amount]) => line(name, amount / 1_000_000, 'thousand calls')),
    ...(upliftPercent === undefined ? [] : [line('uplift', `${upliftPercent} %`, 'price of tokens')]),
    ...(statedCost === undefined ? [] : [line('stated cost', statedCost, 'answer')]),
  ];
}

function timesOf({ ranges, weekdays: days }: HourPrices): string {
  const times = ranges.map(({ from, to }) => `${timeOfDay(from)}-${timeOfDay(to)}`).join(' ');
  const names = days?.map((day) => weekdays[day]).join(' ');
  return names === undefined ? `${times} UTC` : `${times} UTC ${names}`;
}

const timeOfDay = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

const hasFreeAllowance = ({ prices, deployments }: Model): boolean =>
  [...prices, ...deployments.flatMap((one) => one.prices ?? [])].some(({ price }) => price.freeAllowance);
