/** A price on the command line: amounts in USD, and the day from which they apply. */
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import { type CommandOption, UsageError } from '../command.ts';

const perMillion = (what: string, required = false): CommandOption => ({
  value: '<usd>',
  description: `${what}, per million tokens`,
  ...(required && { required }),
});

/** The options, and the fields of the row that they set. */
const amounts: Readonly<Record<string, { readonly field: string; readonly option: CommandOption }>> = {
  input: { field: 'input', option: perMillion('Input', true) },
  output: { field: 'output', option: perMillion('Output', true) },
  cached: { field: 'cachedInput', option: perMillion('Cached input') },
  'cache-write': { field: 'cacheWrite', option: perMillion('Cache writes') },
  reasoning: { field: 'reasoning', option: perMillion('Reasoning') },
  'image-input': { field: 'imageInput', option: perMillion('Input images') },
  'audio-input': { field: 'audioInput', option: perMillion('Input audio') },
  'image-output': { field: 'imageOutput', option: perMillion('Generated images') },
  'web-search': {
    field: 'webSearch',
    option: { value: '<usd>', description: 'Web searches, per thousand' },
  },
  'web-search-request': {
    field: 'webSearchRequest',
    option: {
      value: '<usd>',
      description: 'Requests with web search, per thousand, regardless of the number of searches',
    },
  },
};

export const priceOptions: Readonly<Record<string, CommandOption>> = {
  ...Object.fromEntries(Object.entries(amounts).map(([name, { option }]) => [name, option])),
  tiers: {
    value: 'keep|none',
    description: 'Keep or remove the prices for long prompts, if the model has any',
  },
  from: {
    value: '<date>',
    description: 'First day of the price (UTC), for example 2027-01-01 (default: now)',
  },
};

type Options = Readonly<Record<string, string | undefined>>;

/** Returns a function that changes a price as the options say. Throws UsageError for an invalid amount. */
export function readPriceChange(options: Options): (old: JsonObject) => JsonObject {
  const given = Object.entries(amounts).flatMap(([name, { field, option }]) => {
    const text = options[name];
    return text === undefined ? [] : [[field, readAmount(name, text, option)] as const];
  });
  const tiers = readTiers(options.tiers);
  return (old) => {
    if (old.tiers !== undefined && tiers === undefined) {
      throw new UsageError(
        'This model has separate prices for long prompts. Give --tiers keep or --tiers none.',
      );
    }
    const { tiers: oldTiers, ...price } = { ...old, ...Object.fromEntries(given) };
    const kept = Object.entries(price).filter(([, value]) => value !== null && value !== undefined);
    return {
      ...Object.fromEntries(kept),
      ...(tiers === 'keep' && oldTiers !== undefined && { tiers: oldTiers }),
    };
  };
}

/** Null: removed. */
function readAmount(name: string, text: string, { required }: CommandOption): number | null {
  if (text === 'none' && !required) return null;
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text);
  throw new UsageError(`--${name} must be an amount in USD such as 2.50, not ${text}.`);
}

function readTiers(text: string | undefined): 'keep' | 'none' | undefined {
  if (text === undefined || text === 'keep' || text === 'none') return text;
  throw new UsageError(`--tiers must be keep or none, not ${text}.`);
}

/** In the form that a catalog row uses. */
export function readFrom(text: string | undefined, now: number): string {
  if (text === undefined) return soonAfter(now);
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw new UsageError(`--from must be a date such as 2027-01-01, not ${text}.`);
}

const minute = 60_000;

/**
 * The first full minute after every function has read the changed row. Until then functions bill with the old price, and
 * from then on with the new one.
 */
function soonAfter(now: number): string {
  const moment = Math.ceil((now + 1.5 * minute) / minute) * minute;
  return new Date(moment).toISOString().replace('.000Z', 'Z');
}
