/** What a tenant pays: `tenants add-credit`, `tenants adjust` and `tenants set-pricing`. */
import { randomUUID } from 'node:crypto';
import { defaultPriority } from '../../lib/admin/tenants/credit-schema.ts';
import type { PricingChangeInput } from '../../lib/admin/tenants/pricing-schema.ts';
import { formatDollars, parseDollars, parseSignedDollars } from '../../lib/core/accounting/money.ts';
import { isModelPattern } from '../../lib/core/tenancy.ts';
import { asUsageError, byOption, callAdmin } from '../call-admin.ts';
import { priceOptions, readFrom, readPriceChange } from '../catalog/catalog-price-options.ts';
import { type Command, type CommandContext, type CommandOption, UsageError } from '../command.ts';
import { monthOf, readDay } from '../usage/usage-options.ts';
import { readWhole } from './limit-options.ts';

const tenantsAddCredit: Command = {
  name: 'tenants add-credit',
  summary: 'Add prepaid credit to a tenant',
  description:
    'The amount is in USD. A tenant with credit can spend no more than its credit, so the first payment also sets this limit. Grants with a lower priority are used first, then those that expire first. What is left of a grant when it expires is lost.',
  arguments: ['tenant', 'usd'],
  options: {
    expires: { value: '<date>', description: 'The first day (UTC) on which it can no longer be used' },
    priority: {
      value: '<number>',
      description: `0 to 1000; lower is used first (default: ${defaultPriority})`,
    },
    note: { value: '<text>', description: 'What it is for' },
    ...byOption,
  },
  examples: [
    'tenants add-credit acme 100',
    'tenants add-credit acme 20 --expires 2027-01-31 --priority 1 --note promotion',
  ],
  async run({ arguments: [tenant = '', text = ''], options, terminal, ...context }) {
    const amount = parseDollars(text);
    if (!amount)
      throw new UsageError(`<usd> must be an amount such as 50 or 0.25, more than 0, not ${text}.`);
    const { expires, priority = `${defaultPriority}`, note } = options;
    const usd = formatDollars(amount);
    const grant = {
      id: randomUUID().slice(0, 8),
      amount_usd: usd,
      priority: readWhole(priority),
      ...(note && { note }),
      ...(expires !== undefined && { expires_at: readExpiry(expires) }),
    };
    const { credit_usd: all } = await callAdmin({ ...context, options }, 'admin-credit-add', {
      tenant,
      ...grant,
    });
    terminal.write(
      `Added ${usd} USD as grant ${grant.id}. Tenant ${tenant} has prepaid ${all} USD in total.`,
    );
  },
};

/** The beginning of the day, in Unix seconds. */
function readExpiry(text: string): number {
  const seconds = readDay('expires', text) / 1000;
  if (seconds * 1000 <= Date.now()) throw new UsageError(`--expires must be after today: ${text}`);
  return seconds;
}

const tenantsAdjust: Command = {
  name: 'tenants adjust',
  summary: 'Adjust what a tenant is charged for a month',
  description:
    'A negative amount is in favour of the tenant. The adjustment is kept for ever with its reason and is part of the invoice of the month; it does not change credit or budgets (for prepaid tenants, add credit as well).',
  arguments: ['tenant', 'usd'],
  options: {
    reason: { value: '<text>', description: 'Why, for the invoice', required: true },
    month: { value: '<month>', description: 'The month whose invoice it is on (default: this month)' },
    request: { value: '<id>', description: 'The id of the request that it corrects' },
    ...byOption,
  },
  examples: [
    'tenants adjust acme -5.00 --reason outage',
    'tenants adjust acme 20 --reason support --month 2026-10',
  ],
  async run({ arguments: [tenant = '', text = ''], options, terminal, ...context }) {
    const { reason = '', request, month = monthOf(Date.now()) } = options;
    const amount = parseSignedDollars(text);
    if (!amount) throw new UsageError(`<usd> must be an amount such as -5.00 or 0.25, not ${text}.`);
    const usd = formatDollars(amount);
    await callAdmin({ ...context, options }, 'admin-adjustments-add', {
      tenant,
      id: randomUUID(),
      month,
      amount_usd: usd,
      reason,
      ...(request !== undefined && { request }),
    });
    terminal.write(
      `Adjusted ${month} of tenant ${tenant} by ${usd} USD. See it with: usage invoice ${tenant} ${month}`,
    );
  },
};

type Options = CommandContext['options'];

const { tiers: _, from, ...amounts } = priceOptions;

/** They belong to --model, so the parser cannot require any. */
const optional = ({ required: __, ...option }: CommandOption): CommandOption => option;

const priceAmounts: Readonly<Record<string, CommandOption>> = Object.fromEntries(
  Object.entries(amounts).map(([name, option]) => [name, optional(option)]),
);

const tenantsSetPricing: Command = {
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
  async run({ arguments: [tenant = ''], options, flags, terminal, ...context }) {
    const start = readFrom(options.from, Date.now());
    const change = readChange(options, flags.has('at-cost'));
    const terms = await callAdmin(
      { ...context, typedAs: { markup_percent: '--markup' } },
      'admin-pricing-change',
      { tenant, from: Date.parse(start) / 1000, ...change },
    ).catch(asUsageError);
    const models = terms.fixed_prices.map(({ model }) => model);
    terminal.write(
      `From ${start} tenant ${tenant} is charged the cost ${describeMarkup(terms.markup_percent)}${models.length > 0 ? `, and fixed prices of ${models.join(', ')}` : ''}.`,
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
  return {
    ...(markup !== undefined && { markup_percent: markup }),
    ...(model !== undefined && { fixed_prices: { [model]: isAtCost ? null : readFixedPrice(options) } }),
  };
}

/** The schema of the operation knows what a price may be. */
function readFixedPrice(options: Options): NonNullable<PricingChangeInput['fixed_prices']>[string] {
  if (options.input === undefined || options.output === undefined) {
    throw new UsageError('A fixed price needs --input and --output.');
  }
  return readPriceChange(options)({}) as NonNullable<PricingChangeInput['fixed_prices']>[string];
}

const describeMarkup = (percent: string) =>
  percent.startsWith('-') ? `less ${percent.slice(1)} %` : `plus ${percent} %`;

export const moneyCommands: readonly Command[] = [tenantsSetPricing, tenantsAddCredit, tenantsAdjust];
