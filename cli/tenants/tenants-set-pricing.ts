/** `tenants set-pricing`: what a tenant is charged from a date on. Earlier terms stay, for charges of that time. */
import * as z from 'zod/mini';
import { changePricing } from '../../lib/admin/tenants/change-pricing.ts';
import type { PricingChangeInput } from '../../lib/admin/tenants/pricing-schema.ts';
import { isModelPattern } from '../../lib/core/tenancy.ts';
import { type PriceRow, pricesSchema } from '../../lib/stores/catalog/price-row.ts';
import { priceOptions, readFrom, readPriceChange } from '../catalog/catalog-price-options.ts';
import { type Command, type CommandContext, type CommandOption, UsageError } from '../command.ts';
import { asUsageError, callSubject } from '../subjects.ts';

type Options = CommandContext['options'];

const { tiers: _, from, ...amounts } = priceOptions;

/** They belong to --model, so the parser cannot require any. */
const optional = ({ required: __, ...option }: CommandOption): CommandOption => option;

const priceAmounts: Readonly<Record<string, CommandOption>> = Object.fromEntries(
  Object.entries(amounts).map(([name, option]) => [name, optional(option)]),
);

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
    const input = { tenant: name, from: Date.parse(start) / 1000, ...change };
    const terms = await callSubject(context, changePricing, input).catch(asUsageError);
    const models = terms.fixed_prices.map(({ model }) => model);
    terminal.write(
      `From ${start} tenant ${name} is charged the cost ${describeMarkup(terms.markup_percent)}${models.length > 0 ? `, and fixed prices of ${models.join(', ')}` : ''}.`,
    );
    if (Date.parse(start) < Date.now()) {
      terminal.writeError('Requests since then were charged otherwise. To find them, run: usage recompute');
    }
  },
};

function readChange(options: Options, isAtCost: boolean): PricingChangeInput {
  const { markup, model } = options;
  const given = Object.keys(priceAmounts).filter((name) => options[name] !== undefined);
  if (model === undefined && (isAtCost || given.length > 0)) {
    throw new UsageError('Amounts are the fixed price of a model: give --model too.');
  }
  if (markup === undefined && model === undefined) throw new UsageError('Give --markup, --model, or both.');
  if (model !== undefined && (!isModelPattern(model) || model.endsWith('*'))) {
    throw new UsageError(`--model must be the id of a model (owner/model), not ${model}.`);
  }
  if (markup !== undefined) checkMarkup(markup);
  return {
    ...(markup !== undefined && { markup_percent: markup }),
    ...(model !== undefined && { fixed_prices: { [model]: isAtCost ? null : readFixedPrice(options) } }),
  };
}

function checkMarkup(text: string): void {
  if (/^-?\d{1,4}(\.\d{1,2})?$/.test(text) && Number(text) >= -100) return;
  throw new UsageError(
    `--markup must be a percentage of at least -100 with at most two decimals, such as 20, not ${text}.`,
  );
}

function readFixedPrice(options: Options): PriceRow {
  if (options.input === undefined || options.output === undefined) {
    throw new UsageError('A fixed price needs --input and --output.');
  }
  const row = { price: readPriceChange(options)({}) };
  const { success, data } = z.object(pricesSchema(z.strictObject)).safeParse(row);
  if (success && data.price) return data.price;
  throw new UsageError('A price is finer than can be counted: give fewer decimals.');
}

const describeMarkup = (percent: string) =>
  percent.startsWith('-') ? `less ${percent.slice(1)} %` : `plus ${percent} %`;
