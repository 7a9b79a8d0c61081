/** Reads OpenRouter's fields for routing into what the pipeline knows: fallbacks, preferences, a search, truncation. */

import { invalid } from '../../core/errors/invalid.ts';
import { type Source, source } from '../../core/generation/original/source.ts';
import type { WebSearchTool } from '../../core/generation/request.ts';
import type { Asked } from '../../pipeline/generation/prepare.ts';
import type { ProviderPreferences } from '../../routing/provider-preferences.ts';
import type { Routing } from '../../routing/routing.ts';
import { given } from '../read-request.ts';
import type { RoutingBody } from './schema.ts';

type Body = RoutingBody & {
  readonly model: string;
  readonly extra?:
    | {
        readonly fallbacks?: readonly string[] | null | undefined;
        readonly guardrails?: readonly string[] | null | undefined;
      }
    | null
    | undefined;
};

/** Throws GatewayError `invalid_request` where the caller names fallbacks twice. */
export function readRouting({ model, models, provider, extra }: Body): Routing & Pick<Asked, 'guardrails'> {
  const own = extra?.fallbacks ?? [];
  const preferences = provider ? { preferences: readPreferences(provider) } : {};
  const requireParameters = provider?.require_parameters === true;
  const wanted = {
    ...preferences,
    ...(requireParameters && { requireParameters }),
    ...given(extra ?? {}, ['guardrails']),
  };
  if (!models || models.length === 0) return { fallbacks: own, ...wanted };
  if (own.length > 0) throw invalid('models', "cannot be used together with 'extra.fallbacks'");
  // The list may begin with the model itself.
  const others = models.map((name, index) => ({ name, path: `models.${index}` }));
  const fallbacks = others.filter(({ name }) => name !== model);
  return {
    fallbacks: fallbacks.map(({ name }) => name),
    fallbackPaths: fallbacks.map(({ path }) => path),
    ...wanted,
  };
}

type Wanted = Omit<NonNullable<RoutingBody['provider']>, 'require_parameters'>;

export function readPreferences(body: Wanted): ProviderPreferences {
  const lists = given(body, ['order', 'only', 'ignore']);
  const named = Object.entries(lists).map(([field, names]) => [field, gatewayNames(names)]);
  return {
    ...Object.fromEntries(named),
    ...(body.allow_fallbacks != null && { allowFallbacks: body.allow_fallbacks }),
    ...(body.sort && { sort: 'price' }),
    ...(body.max_price && { maxPrice: readMaxPrice(body.max_price) }),
    ...(body.data_collection === 'deny' && { noCollection: true }),
    ...(body.zdr && { noRetention: true }),
    ...(body.regions && { regions: body.regions.map((name) => name.toLowerCase()) }),
  };
}

type MaxPrice = NonNullable<NonNullable<RoutingBody['provider']>['max_price']>;

/** One dollar for a million tokens is a thousand nano-dollars for one. */
const nanoPerToken = 1_000;
const nanoPerDollar = 1_000_000_000;

function readMaxPrice({ prompt, completion, request }: MaxPrice): ProviderPreferences['maxPrice'] {
  return {
    ...(prompt != null && { prompt: nanoDollars(prompt, nanoPerToken) }),
    ...(completion != null && { completion: nanoDollars(completion, nanoPerToken) }),
    ...(request != null && { request: nanoDollars(request, nanoPerDollar) }),
  };
}

/** Prices are whole nano-dollars: a limit of 0.29 USD must not become 289.99 of them. */
const nanoDollars = (amount: number | string, factor: number) =>
  Math.round(Number(amount) * factor * 1e6) / 1e6;

/** The search of the model's provider, where the plugin `web` is on. */
export function readWebPlugin({ plugins }: RoutingBody): WebSearchTool | undefined {
  const position = pluginNamed('web', { plugins });
  const plugin = plugins?.[position];
  if (!plugin) return undefined;
  const { include_domains: allowedDomains } = plugin;
  return {
    position: 0,
    type: 'web_search',
    ...(allowedDomains && { allowedDomains }),
    [source]: pluginSource(position),
  };
}

const pluginSource = (position: number): Source => ({
  path: `plugins.${position}`,
  fields: { type: 'id', allowedDomains: 'include_domains' },
});

/** Whether the middle of a conversation that is too long is left out. OpenRouter has the plugin in place of the transform. */
export const isShortened = (
  body: RoutingBody & { transforms?: readonly string[] | null | undefined },
): boolean => (body.transforms ?? []).includes('middle-out') || pluginNamed('context-compression', body) >= 0;

/** Its index; -1 if it is off. */
const pluginNamed = (id: string, { plugins }: Pick<RoutingBody, 'plugins'>): number =>
  (plugins ?? []).findIndex((plugin) => plugin.id === id && plugin.enabled !== false);

/** OpenRouter's names of providers, where the gateway has others. Source: the provider names of openrouter.ai/docs */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  'amazon-bedrock': ['bedrock'],
  'google-ai-studio': ['google'],
  'google-vertex': ['google-vertex', 'google-vertex-anthropic'],
  moonshotai: ['moonshot'],
  'moonshot-ai': ['moonshot'],
  'x-ai': ['xai'],
  'z-ai': ['zai'],
  'z.ai': ['zai'],
};

/** The gateway's names. Clients also send display names, such as `Amazon Bedrock`. */
function gatewayNames(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const slug = name.toLowerCase().replaceAll(' ', '-');
    return Object.hasOwn(otherNames, slug) ? (otherNames[slug] ?? []) : [slug];
  });
}
