/** The prices of a deployment of the catalog, under the names and in the units of a public price file. */
import type { Price, ServicePrices, TieredPrices, TokenPrices } from '../../../lib/core/catalog/price.ts';
import { tierName, times } from './public-deployment.ts';

/** From nano-dollars for one. */
const perMillion = 1e-3;
const perThousand = 1e-6;
const perOne = 1e-9;

/** The price under a name of a file; undefined if it is unknown. */
type OwnPrices = (name: string) => number | undefined;

/** The default prices, and those of other hours: a file without hours may have either. */
export function ownPrices(price: Price): readonly OwnPrices[] {
  return [price, ...(price.hours ?? [])].map((tokens) => {
    const known = new Map([...servicePrices(tokens, price.upliftPercent ?? 0), ...otherPrices(price)]);
    return (name) => known.get(name) ?? known.get(insteadOf(name));
  });
}

/** The lengths of input from which other prices apply. */
export const thresholdsOf = ({ tiers = [] }: Price): readonly number[] =>
  tiers.map(({ aboveInputTokens }) => aboveInputTokens);

/** The price that applies where one is not set. */
const fallbacks: Readonly<Record<string, string>> = {
  cachedInput: 'input',
  cacheWrite: 'input',
  imageInput: 'input',
  reasoning: 'output',
  imageOutput: 'output',
};

function insteadOf(name: string): string {
  const start = name.lastIndexOf(' ') + 1;
  return name.slice(0, start) + (fallbacks[name.slice(start)] ?? '');
}

type Prices = readonly (readonly [name: string, usd: number])[];

function servicePrices({ serviceTiers = {}, ...standard }: ServicePrices, uplift: number): Prices {
  return [
    ...tieredPrices(standard, undefined, uplift),
    ...Object.entries(serviceTiers).flatMap(([name, tier]) => tieredPrices(tier, name, uplift)),
  ];
}

function tieredPrices(
  { tiers = [], ...standard }: TieredPrices,
  service: string | undefined,
  uplift: number,
): Prices {
  return [
    ...tokenPrices(standard, tierName(service, undefined), uplift),
    ...tiers.flatMap(({ aboveInputTokens, ...tier }) =>
      tokenPrices(tier, tierName(service, aboveInputTokens), uplift),
    ),
  ];
}

const tokenFields = [
  ...(['input', 'output', 'cachedInput', 'cacheWrite', 'cacheWriteHour', 'reasoning', 'imageInput'] as const),
  ...(['cachedImageInput', 'audioInput', 'cachedAudioInput', 'imageOutput'] as const),
] satisfies readonly (keyof TokenPrices)[];

const tokenPrices = (prices: TokenPrices, prefix: string, uplift: number): Prices =>
  tokenFields.flatMap((field) => {
    const price = prices[field];
    if (price === undefined || price === null) return [];
    return [[`${prefix}${field}`, times(perMillion * (1 + uplift / 100), price)] as const];
  });

function otherPrices({
  request,
  webSearch,
  webSearchRequest,
  hostedTools = {},
  image,
  searchUnit,
  characters,
  audioHour,
}: Price): Prices {
  const search = webSearch ?? webSearchRequest;
  return [
    ...(request === undefined ? [] : [['request', times(perThousand, request)] as const]),
    ...(search === undefined ? [] : [['webSearch', times(perThousand, search)] as const]),
    ...Object.entries(hostedTools).map(
      ([tool, price]) => [`hostedTools.${tool}`, times(perThousand, price)] as const,
    ),
    ...(searchUnit === undefined ? [] : [['searchUnit', times(perThousand, searchUnit)] as const]),
    ...(characters === undefined ? [] : [['characters', times(perMillion, characters)] as const]),
    ...(audioHour === undefined ? [] : [['audioHour', times(perOne, audioHour)] as const]),
    ...(image === undefined ? [] : [['image', times(perOne, image)] as const]),
  ];
}
