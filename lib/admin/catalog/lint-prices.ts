/** Finds what a model can do at a price that its row does not have: its cost would be unknown, or that of something else. */

import type { Model } from '../../core/catalog/model.ts';
import type {
  DatedPrice,
  Price,
  ServicePrices,
  TieredPrices,
  TokenPrices,
} from '../../core/catalog/price.ts';
import { providers } from '../../providers/all-providers.ts';

/** Each fault begins with the path of the field in the row. */
export function lintPrices(model: Model): readonly string[] {
  if (model.status !== 'active' && model.status !== 'deprecated') return [];
  const { deployments } = model;
  const usesModelPrice = deployments.some(({ prices }) => !prices);
  const shared = deployments.filter(({ prices }) => !prices).map(({ provider }) => provider);
  return [
    ...(usesModelPrice ? lintDated(model.prices, '', needsOf(model, shared)) : []),
    ...deployments.flatMap(({ prices = [], provider, routes = [] }, index) => {
      const needs = needsOf(model, [provider]);
      // The last route is the deployment itself.
      const ofRoutes = routes
        .slice(0, -1)
        .flatMap((route, position) =>
          lintDated(route.prices ?? [], `deployments.${index}.ways.${position}.`, needs),
        );
      return [...lintDated(prices, `deployments.${index}.`, needs), ...ofRoutes];
    }),
  ];
}

/** The names of prices, of which one is needed, and why. */
interface Need {
  readonly anyOf: readonly (keyof Price)[];
  readonly because: string;
  /** True: only where there is a price of reading the cache. */
  readonly ifCached?: true;
}

/** Google's cached content is stored at a price by time. Source: ai.google.dev/gemini-api/docs/caching. */
const stores = (provider: string): boolean => providers.get(provider)?.generation?.storesContent === true;

function needsOf({ traits, modalities, owner }: Model, deployments: readonly string[]): readonly Need[] {
  const hears = modalities.input.some((kind) => kind === 'audio' || kind === 'video');
  const makesImages = modalities.output.includes('image');
  // Models that make images keep no content.
  const isStored = !makesImages && deployments.some(stores);
  const needs: readonly (Need | false)[] = [
    traits.webSearch === true && {
      anyOf: ['webSearch', 'webSearchRequest'],
      because: 'the trait webSearch',
    },
    hears && { anyOf: ['audioInput', 'audioHour'], because: 'the input of audio' },
    makesImages && {
      anyOf: ['imageOutput', 'image'],
      because: 'the output of images',
    },
    traits.cachePoints !== undefined && { anyOf: ['cachedInput'], because: 'the trait cachePoints' },
    traits.cachePoints !== undefined && { anyOf: ['cacheWrite'], because: 'the trait cachePoints' },
    // Claude's caches have two lifetimes. Source: platform.claude.com/docs/en/build-with-claude/prompt-caching.
    owner === 'anthropic' && {
      anyOf: ['cacheWriteHour'],
      because: 'writes that are kept for an hour',
      ifCached: true,
    },
    isStored && {
      anyOf: ['cacheStorage'],
      because: 'content that the provider stores',
      ifCached: true,
    },
  ];
  return needs.filter((need) => need !== false);
}

function lintDated(prices: readonly DatedPrice[], where: string, needs: readonly Need[]): readonly string[] {
  const first = prices[0]?.from === 0 ? 1 : 0;
  return prices.flatMap(({ price }, index) => {
    const path = `${where}${index < first ? 'price' : `laterPrices.${index - first}`}`;
    return [...lacking(price, needs, path), ...lintAudio(price, path), ...lintParts(price, path)];
  });
}

const lacking = (price: Price, needs: readonly Need[], path: string): readonly string[] =>
  needs
    .filter(({ ifCached }) => !ifCached || has(price, 'cachedInput'))
    .filter(({ anyOf }) => !anyOf.some((name) => has(price, name)))
    .map(({ anyOf, because }) => `${path}.${anyOf.join(' or ')}: missing, for ${because}`);

const has = <Prices extends object>(prices: Prices, name: keyof Prices): boolean =>
  (prices[name] ?? null) !== null;

/** Audio that costs more than text also does so in a cache. */
function lintAudio(price: TokenPrices, path: string): readonly string[] {
  const { input, audioInput = input, cachedInput, cachedAudioInput } = price;
  const isKnown = audioInput === input || cachedInput === null || cachedAudioInput !== undefined;
  return isKnown ? [] : [`${path}.cachedAudioInput: missing, for audio in a cache`];
}

/** Where one of these is left out, the plain price counts. Any other is then unknown, which is seen. */
const special = [
  'cachedInput',
  'cacheWrite',
  'imageInput',
  'imageOutput',
] as const satisfies readonly (keyof TokenPrices)[];

/** Prices of a length, a service tier or an hour have each of these amounts that the default price has. */
function lintParts(price: Price, path: string): readonly string[] {
  const parts = [
    ...lengthsOf(price, path),
    ...servicesOf(price, path),
    ...(price.hours ?? []).flatMap((hours, index) => {
      const here = `${path}.hours.${index}`;
      return [[here, hours] as const, ...lengthsOf(hours, here), ...servicesOf(hours, here)];
    }),
  ];
  return parts.flatMap(([here, part]) =>
    special
      .filter((name) => has(price, name) && !has(part, name))
      .map((name) => `${here}.${name}: missing, because ${path} has it`),
  );
}

type Named = readonly [path: string, prices: TokenPrices];

const lengthsOf = ({ tiers = [] }: TieredPrices, path: string): readonly Named[] =>
  tiers.map((tier, index) => [`${path}.tiers.${index}`, tier]);

const servicesOf = ({ serviceTiers = {} }: ServicePrices, path: string): readonly Named[] =>
  Object.entries(serviceTiers).flatMap(([name, prices]): readonly Named[] => {
    const here = `${path}.serviceTiers.${name}`;
    return [[here, prices], ...lengthsOf(prices, here)];
  });
