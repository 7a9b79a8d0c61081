/** A price as the values of a form: a field for each amount, and a text for its other parts. */
import type { Values } from '../form-values.ts';
import { isChanged, numberOf, type Row, withRest, writeRest } from './row-values.ts';

/** In US dollars: for a million tokens, where the title names nothing else. */
export const amounts = [
  ['input', 'Input'],
  ['output', 'Output'],
  ['cachedInput', 'Cached input'],
  ['cacheWrite', 'Cache writes'],
  ['cacheWriteHour', 'Cache writes, kept longer'],
  ['reasoning', 'Reasoning'],
  ['imageInput', 'Input images'],
  ['cachedImageInput', 'Cached input images'],
  ['audioInput', 'Input audio'],
  ['cachedAudioInput', 'Cached input audio'],
  ['imageOutput', 'Generated images'],
  ['request', '1,000 requests'],
  ['webSearch', '1,000 web searches'],
  ['webSearchRequest', '1,000 requests that search'],
  ['searchUnit', '1,000 search units'],
  ['characters', '1,000,000 characters'],
  ['audioHour', 'An hour of audio'],
  ['image', 'An image'],
  ['imageInputEach', 'An input image'],
  ['cacheStorage', 'Stored content, an hour'],
  ['upliftPercent', 'Uplift in percent'],
] as const;

const names: readonly string[] = amounts.map(([name]) => name);

/** Tiers, hours, tools and what else a price may have beside amounts. */
const parts = 'parts';

const members = [...names, parts];

/** `prefix`: the beginning of the names of the fields. */
export const priceValues = (prefix: string, price: Row): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(names.map((name) => [`${prefix}.${name}`, String(price[name] ?? '')])),
  [`${prefix}.${parts}`]: partsOf(price),
});

const partsOf = (price: Row): string => {
  const text = writeRest(price, names);
  return text === '{}' ? '' : text;
};

export const isPriceChanged = (prefix: string, values: Values, opened: Values): boolean =>
  members.some((name) => isChanged(`${prefix}.${name}`, values, opened));

export const isPriceEmpty = (prefix: string, values: Values): boolean =>
  members.every((name) => String(values[`${prefix}.${name}`]).trim() === '');

/** The price with what was changed in the form. Throws ApiError of the parts: `param` is what the API calls the price. */
export function changedPrice(old: Row, prefix: string, values: Values, opened: Values, param = prefix): Row {
  const changed = names.filter((name) => isChanged(`${prefix}.${name}`, values, opened));
  const set = changed.map((name) => [name, numberOf(String(values[`${prefix}.${name}`]))]);
  const next = Object.entries({ ...old, ...Object.fromEntries(set) }).filter(
    ([, value]) => value !== undefined,
  );
  const price = Object.fromEntries(next);
  const text = String(values[`${prefix}.${parts}`]).trim() || '{}';
  if (!isChanged(`${prefix}.${parts}`, values, opened)) return price;
  return withRest(price, names, text, `${param}.${parts}`);
}

/** The field of a parameter of a price. */
export const fieldOfPrice = (param: string): string =>
  param.replace(/\bprice\.(\w+).*/, (whole, name) => (names.includes(name) ? whole : `price.${parts}`));

export const partsTitle = 'Tiers, hours and other parts';

export const priceTitle = (field: string): string | undefined =>
  field === `row.price.${parts}` ? partsTitle : amounts.find(([name]) => field === `row.price.${name}`)?.[1];
