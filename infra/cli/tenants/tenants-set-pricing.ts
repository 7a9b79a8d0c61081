/** `tenants set-pricing`: what a tenant is charged from a date on. Earlier terms stay, for charges of that time. */
import * as z from 'zod/mini';
import {
  markupPercent,
  type Pricing,
  type PricingTerms,
  termsAt,
} from '../../../lib/core/accounting/pricing.ts';
import type { Price } from '../../../lib/core/model.ts';
import { isModelPattern } from '../../../lib/core/tenancy.ts';
import { pricesSchema } from '../../../lib/stores/catalog/price-row.ts';
import { readPrices } from '../../../lib/stores/catalog/read-price.ts';
import { priceOptions, readFrom, readPriceChange } from '../catalog/catalog-price-options.ts';
import {
  type Command,
  type CommandContext,
  type CommandOption,
  UsageError,
  withInstallation,
} from '../command.ts';
import { found } from './holder.ts';

type Options = CommandContext['options'];

const { tiers: _, from, ...amounts } = priceOptions;

/** They belong to --model, so the parser cannot require any. */
const optional = ({ required: __, ...option }: CommandOption): CommandOption => option;

const priceAmounts: Readonly<Record<string, CommandOption>> = Object.fromEntries(
  Object.entries(amounts).map(([name, option]) => [name, optional(option)]),
);

/** A tenant's row is read with each of its requests. */
export const maxTerms = 24;
export const maxFixedPrices = 100;

export const tenantsSetPricing: Command = {
  name: 'tenants set-pricing',
  summary: 'Set what a tenant is charged',
  description:
    'A markup on the cost, in percent (negative: a discount), and fixed prices of models, which replace their cost and markup. What is not given stays as it is. Without any terms, a tenant is charged the cost.',
  arguments: ['tenant'],
  options: {
    markup: { value: '<percent>', description: 'Added to the cost, at most two decimals' },
    model: { value: '<id>', description: 'A model with a fixed price: give its amounts, or --at-cost' },
    'at-cost': { description: 'Remove the fixed price of --model' },
    ...priceAmounts,
    ...(from && { from: { ...from, description: from.description.replace('the price', 'the terms') } }),
  },
  examples: [
    'tenants set-pricing acme --markup 20 --from 2026-12-01',
    'tenants set-pricing acme --model openai/gpt-5.5 --input 6 --output 36',
    'tenants set-pricing acme --model openai/gpt-5.5 --at-cost',
  ],
  async run({ arguments: [name = ''], options, flags, terminal, ...context }) {
    const start = readFrom(options.from, Date.now());
    const change = readChange(options, flags.has('at-cost'));
    const terms = await withInstallation(context, async ({ tenants }) => {
      const { pricing, pricingVersion } = found(await tenants.find(name), 'tenant', name, 'tenants');
      const changed = withTerms(pricing ?? [], Date.parse(start) / 1000, change);
      if (await tenants.replacePricing(name, pricingVersion, changed.pricing)) return changed.terms;
      throw new Error(
        `The terms of tenant ${name} were changed at the same time. Look at them and try again.`,
      );
    });
    const models = Object.keys(terms.models ?? {});
    terminal.write(
      `From ${start} tenant ${name} is charged the cost ${describeMarkup(terms.markup)}${models.length > 0 ? `, and fixed prices of ${models.join(', ')}` : ''}.`,
    );
    if (Date.parse(start) < Date.now()) {
      terminal.writeError('Requests since then were charged otherwise. To find them, run: usage recompute');
    }
  },
};

type Change = (terms: PricingTerms) => PricingTerms;

function readChange(options: Options, isAtCost: boolean): Change {
  const { markup, model } = options;
  const given = Object.keys(priceAmounts).filter((name) => options[name] !== undefined);
  if (model === undefined && (isAtCost || given.length > 0)) {
    throw new UsageError('Amounts are the fixed price of a model: give --model too.');
  }
  if (markup === undefined && model === undefined) throw new UsageError('Give --markup, --model, or both.');
  if (model !== undefined && (!isModelPattern(model) || model.endsWith('*'))) {
    throw new UsageError(`--model must be the id of a model (owner/model), not ${model}.`);
  }
  const added = markup === undefined ? undefined : readMarkup(markup);
  const price = model === undefined || isAtCost ? undefined : readFixedPrice(options);
  return (terms) => {
    const { [model ?? '']: ___, ...others } = terms.models ?? {};
    const models = model !== undefined && price ? { ...others, [model]: price } : others;
    return {
      from: terms.from,
      markup: added ?? terms.markup,
      ...(Object.keys(models).length > 0 && { models }),
    };
  };
}

/** In hundredths of a percent. */
function readMarkup(text: string): number {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d{1,4})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const markup = Number(whole + fraction.padEnd(2, '0')) * (sign ? -1 : 1);
  if (whole !== '' && markup >= -10_000) return markup;
  throw new UsageError(
    `--markup must be a percentage of at least -100 with at most two decimals, such as 20, not ${text}.`,
  );
}

function readFixedPrice(options: Options): Price {
  if (options.input === undefined || options.output === undefined) {
    throw new UsageError('A fixed price needs --input and --output.');
  }
  const row = { price: readPriceChange(options)({}) };
  const { success, data } = z.object(pricesSchema(z.strictObject)).safeParse(row);
  const [dated] = success ? readPrices(data) : [];
  if (dated) return dated.price;
  throw new UsageError('A price is finer than can be counted: give fewer decimals.');
}

/** Terms of the same time are replaced; new ones continue those before them. */
function withTerms(pricing: Pricing, from: number, change: Change) {
  const terms = { ...change(termsAt(pricing, from) ?? { from, markup: 0 }), from };
  const others = pricing.filter((one) => one.from !== from);
  const changed = [...others, terms].toSorted((one, other) => one.from - other.from);
  const models = changed.reduce((sum, one) => sum + Object.keys(one.models ?? {}).length, 0);
  if (changed.length > maxTerms) throw new UsageError(`A tenant has at most ${maxTerms} dated terms.`);
  if (models > maxFixedPrices)
    throw new UsageError(`The terms of a tenant have at most ${maxFixedPrices} fixed prices.`);
  return { pricing: changed, terms };
}

const describeMarkup = (markup: number) =>
  markup < 0 ? `less ${markupPercent(-markup)} %` : `plus ${markupPercent(markup)} %`;
