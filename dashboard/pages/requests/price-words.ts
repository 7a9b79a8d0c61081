/** The parts of a price in words. */

const names: Readonly<Record<string, string>> = {
  input: 'Input tokens',
  cachedInput: 'Cached input tokens',
  cacheWrite: 'Tokens written to the cache',
  cacheWriteHour: 'Tokens written to the cache for an hour',
  cacheStorage: 'Tokens kept in the cache, in token seconds',
  imageInput: 'Image tokens of the input',
  cachedImageInput: 'Cached image tokens of the input',
  audioInput: 'Audio tokens of the input',
  cachedAudioInput: 'Cached audio tokens of the input',
  output: 'Output tokens',
  reasoning: 'Reasoning tokens',
  imageOutput: 'Image tokens of the output',
  image: 'Images',
  imageInputEach: 'Images sent',
  request: 'Request',
  webSearch: 'Web searches',
  webSearchRequest: 'Requests that search the web',
  searchUnit: 'Search units',
  characters: 'Characters',
  audioHour: 'Audio',
  uplift: 'Uplift of the region',
};

/** Of a name of the catalog's price, or `tool:` and the name of a provider's tool. */
export const partName = (what: string): string =>
  names[what] ?? (what.startsWith('tool:') ? `Calls of ${what.slice(5).replaceAll('_', ' ')}` : what);

/** Prices below this are said for a million. */
const smallest = 0.0005;

/** `$2.50 / million`, `$0.01`, `$0.0045 / 3,600`; exact, of US dollars as text for one. */
export function unitPriceWords(price: string, per: number): string {
  const units = per === 1 ? '' : ` / ${per.toLocaleString('en-US')}`;
  return Number(price) < smallest ? `$${timesMillion(price)} / million${units}` : `$${price}${units}`;
}

/** Exact: the point moves by six digits. */
export function timesMillion(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const digits = fraction.padEnd(6, '0');
  const moved = `${whole}${digits.slice(0, 6)}`.replace(/^0+(?=\d)/, '');
  return `${moved}.${digits
    .slice(6)
    .replace(/(?<!0)0+$/, '')
    .padEnd(2, '0')}`;
}
