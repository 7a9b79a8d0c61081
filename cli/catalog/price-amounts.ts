/** The amounts of a price on the command line, and the fields of the catalog's row that they set. */
import { type CommandOption, UsageError } from '../command.ts';

const inDollars = (description: string, required = false): CommandOption => ({
  value: '<usd>',
  description,
  ...(required && { required }),
});

const perMillion = (what: string, required = false) => inDollars(`${what}, per million tokens`, required);
const perThousand = (what: string) => inDollars(`${what}, per thousand`);

interface Amount {
  readonly field: string;
  readonly option: CommandOption;
}

/** Of tokens: a service tier and hours of the day have their own. */
export const tokenAmounts: Readonly<Record<string, Amount>> = {
  input: { field: 'input', option: perMillion('Input', true) },
  output: { field: 'output', option: perMillion('Output', true) },
  cached: { field: 'cachedInput', option: perMillion('Cached input') },
  'cache-write': { field: 'cacheWrite', option: perMillion('Cache writes') },
  'cache-write-hour': { field: 'cacheWriteHour', option: perMillion('Cache writes that are kept longer') },
  reasoning: { field: 'reasoning', option: perMillion('Reasoning') },
  'image-input': { field: 'imageInput', option: perMillion('Input images') },
  'cached-image-input': { field: 'cachedImageInput', option: perMillion('Cached input images') },
  'audio-input': { field: 'audioInput', option: perMillion('Input audio') },
  'cached-audio-input': { field: 'cachedAudioInput', option: perMillion('Cached input audio') },
  'image-output': { field: 'imageOutput', option: perMillion('Generated images') },
};

export const otherAmounts: Readonly<Record<string, Amount>> = {
  request: { field: 'request', option: perThousand('Requests') },
  'web-search': { field: 'webSearch', option: perThousand('Web searches') },
  'web-search-request': {
    field: 'webSearchRequest',
    option: inDollars('Requests with web search, per thousand, regardless of the number of searches'),
  },
  'search-unit': { field: 'searchUnit', option: perThousand('Search units of reranking') },
  characters: { field: 'characters', option: perMillion('Spoken characters') },
  'audio-hour': { field: 'audioHour', option: inDollars('Audio that is transcribed, per hour') },
  image: { field: 'image', option: inDollars('One generated image') },
  'image-input-each': { field: 'imageInputEach', option: inDollars('One image that is sent to be edited') },
  'cache-storage': {
    field: 'cacheStorage',
    option: inDollars('Stored content, per million tokens and hour'),
  },
  uplift: {
    field: 'upliftPercent',
    option: { value: '<percent>', description: 'What a region adds to the prices of all tokens' },
  },
};

type Options = Readonly<Record<string, string | undefined>>;

/** The fields that are given. Null: removed. Throws UsageError for an invalid amount. */
export function readAmounts(
  amounts: Readonly<Record<string, Amount>>,
  options: Options,
): Readonly<Record<string, number | null>> {
  const given = Object.entries(amounts).flatMap(([name, { field, option }]) => {
    const text = options[name];
    return text === undefined ? [] : [[field, readAmount(`--${name}`, text, option)] as const];
  });
  return Object.fromEntries(given);
}

function readAmount(name: string, text: string, { required }: CommandOption): number | null {
  return text === 'none' && !required ? null : readDollars(name, text);
}

function readDollars(name: string, text: string): number {
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text);
  throw new UsageError(`${name} must be an amount in USD such as 2.50, not ${text}.`);
}

/** `code_interpreter=30,file_search=2.50`; null: none. */
export function readTools(text: string): Readonly<Record<string, number>> | null {
  if (text === 'none') return null;
  const tools = text.split(',').map((part) => {
    const [name = '', amount = ''] = part.split('=');
    return [name, readDollars(`--hosted-tools ${name}`, amount)] as const;
  });
  return Object.fromEntries(tools);
}
