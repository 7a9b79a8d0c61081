/**
 * OpenRouter's fields for routing, which many clients send: they choose among the deployments that the catalog knows. What the
 * gateway cannot know is refused by name. Source: openrouter.ai/docs/features/provider-routing and its SDK's request types.
 */
import * as z from 'zod/mini';
import { lazy } from '../../async/lazy.ts';
import { type BodyOf, strictObjectOf } from '../../core/formats/given-fields.ts';
import { fallbackModels, nullish, nullishFlag, someText } from '../request-schema.ts';

const maxNames = 32;
/** Of a provider, in characters. */
const maxProviderName = 100;
const maxPlugins = 8;

const names = () =>
  nullish(z.array(someText.check(z.maxLength(maxProviderName))).check(z.maxLength(maxNames)));

/** OpenRouter's SDKs send amounts as text. */
const amount = () =>
  nullish(
    z.union([
      z.number().check(z.gte(0, 'must not be negative')),
      z.string().check(z.regex(/^\d{1,9}(\.\d{1,12})?$/, 'must be an amount in US dollars')),
    ]),
  );

const unknowable = (what: string) => () =>
  z.optional(z.null(`cannot be honoured: the catalog does not know ${what}`));

const sortBy = lazy(() =>
  z.enum(['price'], "must be 'price': the gateway does not compare deployments by throughput or latency"),
);

const preferences = {
  order: names,
  only: names,
  ignore: names,
  allow_fallbacks: nullishFlag,
  require_parameters: nullishFlag,
  data_collection: () => nullish(z.enum(['allow', 'deny'])),
  zdr: nullishFlag,
  regions: names,
  sort: () =>
    nullish(z.union([sortBy(), z.strictObject({ by: sortBy(), partition: nullish(z.literal('model')) })])),
  max_price: () =>
    nullish(
      strictObjectOf({
        prompt: amount,
        completion: amount,
        request: amount,
        image: unknowable('the price of an image'),
        audio: unknowable('the price of a recording'),
      }),
    ),
  quantizations: unknowable('how a deployment has quantized a model'),
  preferred_min_throughput: unknowable('the throughput of a deployment'),
  preferred_max_latency: unknowable('the latency of a deployment'),
  enforce_distillable_text: () =>
    nullish(z.literal(false, 'cannot be honoured: the catalog does not know which texts may be distilled')),
} as const;

const plugin = () =>
  strictObjectOf({
    id: z.enum(
      ['web', 'context-compression'],
      "must be 'web' or 'context-compression': there are no other plugins",
    ),
    enabled: nullishFlag,
    engine: () => nullish(z.literal('native', "must be 'native': the model's own search is used")),
    include_domains: () => nullish(z.array(someText).check(z.maxLength(maxNames))),
  });

const { require_parameters: _, ...place } = preferences;

/** What operations without parameters of a generation take. */
export const placeField = { provider: () => nullish(strictObjectOf(place)) };

/** Those that chat completions and Responses share. */
export const routingFields = {
  /** Models to try after `model`. */
  models: fallbackModels,
  provider: () => nullish(strictObjectOf(preferences)),
  plugins: () => nullish(z.array(plugin()).check(z.maxLength(maxPlugins))),
  route: () => nullish(z.literal('fallback', "must be 'fallback': fallbacks are tried in their order")),
};

/** Those of chat completions alone. */
export const chatRoutingFields = {
  ...routingFields,
  transforms: () => nullish(z.array(z.literal('middle-out')).check(z.maxLength(1))),
};

export type RoutingBody = BodyOf<typeof routingFields>;
