/** How a price is typed: amounts of USD, and the day from which they hold. */
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import { type CommandOption, UsageError } from '../command.ts';

const perMillion = (what: string, required = false): CommandOption => ({
  value: '<usd>',
  description: `${what}, for a million tokens`,
  ...(required && { required }),
});

/** The options, and the fields of the row that they set. */
const amounts: Readonly<Record<string, { readonly field: string; readonly option: CommandOption }>> = {
  input: { field: 'input', option: perMillion('Input', true) },
  output: { field: 'output', option: perMillion('Output', true) },
  cached: { field: 'cachedInput', option: perMillion('Input that was cached') },
  'cache-write': { field: 'cacheWrite', option: perMillion('Input that is written to a cache') },
  reasoning: { field: 'reasoning', option: perMillion('Reasoning') },
  'image-input': { field: 'imageInput', option: perMillion('Images that are read') },
  'image-output': { field: 'imageOutput', option: perMillion('Images that are drawn') },
  'web-search': {
    field: 'webSearch',
    option: { value: '<usd>', description: 'A thousand searches of the web' },
  },
  'web-search-request': {
    field: 'webSearchRequest',
    option: { value: '<usd>', description: 'A thousand requests that search the web, however often' },
  },
};

export const priceOptions: Readonly<Record<string, CommandOption>> = {
  ...Object.fromEntries(Object.entries(amounts).map(([name, { option }]) => [name, option])),
  tiers: {
    value: 'keep|none',
    description: 'What becomes of the prices for long prompts, where the model has some',
  },
  from: {
    value: '<date>',
    description: 'The day (UTC) from which it holds, for example 2027-01-01; otherwise from now on',
  },
};

type Options = Readonly<Record<string, string | undefined>>;

/** What these options make of a price. Throws UsageError for what is no amount. */
export function readPriceChange(options: Options): (old: JsonObject) => JsonObject {
  const given = Object.entries(amounts).flatMap(([name, { field, option }]) => {
    const text = options[name];
    return text === undefined ? [] : [[field, readAmount(name, text, option)] as const];
  });
  const tiers = readTiers(options.tiers);
  return (old) => {
    if (old.tiers !== undefined && tiers === undefined) {
      throw new UsageError('This model has other prices for long prompts: say --tiers keep or --tiers none.');
    }
    const { tiers: oldTiers, ...price } = { ...old, ...Object.fromEntries(given) };
    const kept = Object.entries(price).filter(([, value]) => value !== null && value !== undefined);
    return {
      ...Object.fromEntries(kept),
      ...(tiers === 'keep' && oldTiers !== undefined && { tiers: oldTiers }),
    };
  };
}

/** Null: taken away. */
function readAmount(name: string, text: string, { required }: CommandOption): number | null {
  if (text === 'none' && !required) return null;
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text);
  throw new UsageError(`--${name} is not an amount of USD such as 2.50: ${text}`);
}

function readTiers(text: string | undefined): 'keep' | 'none' | undefined {
  if (text === undefined || text === 'keep' || text === 'none') return text;
  throw new UsageError(`--tiers is keep or none, not ${text}`);
}

/** As it stands in a row. */
export function readFrom(text: string | undefined, now: number): string {
  if (text === undefined) return soonAfter(now);
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw new UsageError(`--from is not a date such as 2027-01-01: ${text}`);
}

const minute = 60_000;

/**
 * The first full minute by which every function has read the row anew: whoever makes a bill until then still makes it
 * by the old price, and whoever makes it later by the new one.
 */
function soonAfter(now: number): string {
  const moment = Math.ceil((now + 1.5 * minute) / minute) * minute;
  return new Date(moment).toISOString().replace('.000Z', 'Z');
}
