/** A price on the command line: amounts in USD, what they are for, and the day from which they apply. */

import { soonAfter } from '../../lib/admin/catalog/later-prices.ts';
import { isJsonObject, objectsIn } from '../../lib/core/formats/json-object.ts';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { type CommandOption, UsageError } from '../command.ts';
import { otherAmounts, readAmounts, readTools, tokenAmounts } from './price-amounts.ts';

/** What a price may have beside its own amounts: whether it stays must be said. */
const parts = {
  tiers: { field: 'tiers', what: 'prices for long prompts' },
  'service-tiers': { field: 'serviceTiers', what: 'prices of service tiers' },
  hours: { field: 'hours', what: 'prices of some hours' },
} as const;

const partNames = Object.keys(parts) as (keyof typeof parts)[];

const keepOrNone = (what: string): CommandOption => ({
  value: 'keep|none',
  description: `Keep or remove the ${what}, if the model has any`,
});

const optionsOf = (amounts: typeof tokenAmounts): Readonly<Record<string, CommandOption>> =>
  Object.fromEntries(Object.entries(amounts).map(([name, { option }]) => [name, option]));

export const priceOptions: Readonly<Record<string, CommandOption>> = {
  ...optionsOf(tokenAmounts),
  ...optionsOf(otherAmounts),
  'hosted-tools': {
    value: '<tool=usd,...>',
    description: "Calls of the provider's other tools, per thousand",
  },
  'stated-cost': {
    value: 'believe|compare|none',
    description: 'Whether a cost that the provider states is billed, or compared with the computed one',
  },
  'free-allowance': {
    value: 'yes|none',
    description: 'Some use is free at the provider, and billed all the same',
  },
  ...Object.fromEntries(partNames.map((name) => [name, keepOrNone(parts[name].what)])),
  'service-tier': { value: '<name>', description: 'These amounts are those of a service tier' },
  at: {
    value: '<hours>',
    description: 'These amounts are those of some hours (UTC), such as 01:00-04:00, separated by commas',
  },
  weekdays: { value: '<days>', description: 'With --at: only on these days, for example mon,tue,wed' },
  from: {
    value: '<date>',
    description: 'First day of the price (UTC), for example 2027-01-01 (default: now)',
  },
};

type Options = Readonly<Record<string, string | undefined>>;

/** Returns a function that changes a price as the options say. Throws UsageError for an invalid option. */
export function readPriceChange(options: Options): (old: JsonObject) => JsonObject {
  const amounts = readAmounts(tokenAmounts, options);
  const { 'service-tier': tier, at, weekdays } = options;
  if (weekdays !== undefined && at === undefined) throw new UsageError('--weekdays needs --at.');
  if (tier !== undefined && at !== undefined) throw new UsageError('Give --service-tier or --at, not both.');
  if (tier === undefined && at === undefined) return wholeChange(options, amounts);
  const foreign = Object.keys(options).find((name) => isOfWhole(name) && options[name] !== undefined);
  if (foreign)
    throw new UsageError(`--${foreign} belongs to the price itself, not to --service-tier or --at.`);
  return tier === undefined ? hoursChange(`${at}`, weekdays, amounts) : tierChange(tier, amounts);
}

const isOfWhole = (name: string): boolean =>
  [...Object.keys(otherAmounts), ...partNames, 'hosted-tools', 'stated-cost', 'free-allowance'].includes(
    name,
  );

function wholeChange(options: Options, amounts: JsonObject): (old: JsonObject) => JsonObject {
  const others = { ...readAmounts(otherAmounts, options), ...readFlags(options) };
  const kept = new Map(partNames.map((name) => [name, readKeep(name, options[name])]));
  return (old) => {
    for (const name of partNames) {
      if (old[parts[name].field] === undefined || kept.get(name) !== undefined) continue;
      const { what } = parts[name];
      throw new UsageError(`This model has separate ${what}. Give --${name} keep or --${name} none.`);
    }
    const removed = partNames.filter((name) => kept.get(name) === 'none').map((name) => parts[name].field);
    return withoutNull({
      ...old,
      ...amounts,
      ...others,
      ...Object.fromEntries(removed.map((field) => [field, null])),
    });
  };
}

const tierChange =
  (tier: string, amounts: JsonObject) =>
  (old: JsonObject): JsonObject => {
    const tiers = isJsonObject(old.serviceTiers) ? old.serviceTiers : {};
    const before = isJsonObject(tiers[tier]) ? tiers[tier] : {};
    return { ...old, serviceTiers: { ...tiers, [tier]: withoutNull({ ...before, ...amounts }) } };
  };

const hoursChange =
  (at: string, weekdays: string | undefined, amounts: JsonObject) =>
  (old: JsonObject): JsonObject => {
    const utc = at.split(',');
    const isSame = (hours: JsonObject) => JSON.stringify(hours.utc) === JSON.stringify(utc);
    const before = objectsIn(old.hours);
    const days = weekdays === undefined ? {} : { weekdays: weekdays.split(',') };
    const changed = withoutNull({ ...before.find(isSame), utc, ...days, ...amounts });
    return { ...old, hours: [...before.filter((hours) => !isSame(hours)), changed] };
  };

function readFlags(options: Options): JsonObject {
  const { 'hosted-tools': tools, 'stated-cost': stated, 'free-allowance': free } = options;
  return {
    ...(tools !== undefined && { hostedTools: readTools(tools) }),
    ...(stated !== undefined && { statedCost: stated === 'none' ? null : stated }),
    ...(free !== undefined && { freeAllowance: readYes(free) }),
  };
}

function readYes(text: string): true | null {
  if (text === 'yes' || text === 'none') return text === 'yes' || null;
  throw new UsageError(`--free-allowance must be yes or none, not ${text}.`);
}

function readKeep(name: string, text: string | undefined): 'keep' | 'none' | undefined {
  if (text === undefined || text === 'keep' || text === 'none') return text;
  throw new UsageError(`--${name} must be keep or none, not ${text}.`);
}

const withoutNull = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** In the form that a catalog row uses. */
export function readFrom(text: string | undefined, now: number): string {
  if (text === undefined) return soonAfter(now);
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw new UsageError(`--from must be a date such as 2027-01-01, not ${text}.`);
}
