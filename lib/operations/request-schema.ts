/** Schema parts that the bodies of several operations share. */
import * as z from 'zod/mini';
import { cacheScopes, maxCacheTtl } from '../core/caching.ts';
import { serviceTiers } from '../core/generation/parameters.ts';
import type { ServiceTier } from '../core/generation/request.ts';
import { debugCategories } from './answer-facts.ts';

/** Optional. Null means the same as absent: OpenAI takes it for every optional field, and many clients send it. */
export function nullish<Schema extends z.core.$ZodType>(schema: Schema) {
  return z.optional(z.nullable(schema));
}

/** Shared: each schema that is built slows down the start of a function. */
export const nullishText = nullish(z.string());
export const nullishFlag = nullish(z.boolean());

export function between(low: number, high: number) {
  const problem = mustBeBetween(low, high);
  return z.number().check(z.gte(low, problem), z.lte(high, problem));
}

export function integerBetween(low: number, high: number) {
  const problem = mustBeBetween(low, high);
  return z.int().check(z.gte(low, problem), z.lte(high, problem));
}

const mustBeBetween = (low: number, high: number) => `must be between ${low} and ${high}`;

export const atLeastOne = () => nullish(z.int().check(z.gte(1)));
/** A number of tokens, or of candidates. */
export const tokenCount = () => nullish(z.int().check(z.gte(0)));
export const someText = z.string().check(z.minLength(1));

export const jsonObject = z.record(z.string(), z.unknown());
const nullishObject = () => nullish(jsonObject);

export const modelId = someText;

const maxToolName = 128;

export const toolName = z
  .string()
  .check(
    z.regex(
      new RegExp(`^[a-zA-Z0-9_.:-]{1,${maxToolName}}$`),
      `must have 1 to ${maxToolName} characters: letters, digits, dots, colons, underscores or dashes`,
    ),
  );

/** A function that the model may call. */
export const functionFields = {
  name: toolName,
  description: nullishText,
  parameters: nullishObject,
  strict: nullishFlag,
};

/** The grammar of the texts that a custom tool takes. */
export const grammarFields = () => ({ syntax: z.enum(['lark', 'regex']), definition: z.string() });

export const toolLimit = 1024;

/** The longest recorded requests of clients have some hundred. OpenAI documents no limit. */
export const maxElements = 10_000;

/** Messages, items, the parts of one of them, and what else a conversation has many of. */
export const longList = <Schema extends z.core.$ZodType>(element: Schema) =>
  z.array(element).check(z.maxLength(maxElements));

/** Words of a short list, each of which may be repeated. */
export const maxWords = 64;

export const words = <Schema extends z.core.$ZodType>(word: Schema) =>
  z.array(word).check(z.maxLength(maxWords));

/** The JSON Schema of a structured output. */
export const jsonSchemaFields = {
  name: someText,
  description: nullishText,
  schema: nullishObject,
  strict: nullishFlag,
};

export const imageUrl = z.string().check(
  z.refine((url) => /^(https?:\/\/|data:[^,]*;base64,)/i.test(url), {
    error: "must be an https URL or a 'data:<type>;base64,' URL",
  }),
);

export const imageDetail = () => nullish(z.enum(['auto', 'low', 'high', 'original']));

export const maxStops = 4;

export const stopSequences = () => z.array(z.string()).check(z.minLength(1), z.maxLength(maxStops));

const maxTopLogprobs = 20;

export const topLogprobs = () => nullish(integerBetween(0, maxTopLogprobs));

/** `standard` is what other providers call `default`. */
export const serviceTier = () =>
  nullish(
    z.pipe(
      z.enum([...serviceTiers, 'standard']),
      z.transform((tier): ServiceTier => (tier === 'standard' ? 'default' : tier)),
    ),
  );

/** Where a user is, for a search of the web. */
export const locationFields = {
  city: nullishText,
  country: () =>
    nullish(z.string().check(z.regex(/^[A-Za-z]{2}$/, "must be a two-letter country code such as 'DE'"))),
  region: nullishText,
  timezone: nullishText,
};

export const verbosity = () => nullish(z.enum(['low', 'medium', 'high']));

export const maxSafetyId = 64;

/** Fields of OpenAI's platform, in chat and Responses alike. */
export const platformFields = {
  prompt_cache_key: nullishText,
  prompt_cache_retention: () => nullish(z.enum(['in_memory', '24h'])),
  prompt_cache_options: () =>
    nullish(z.strictObject({ mode: nullish(z.enum(['implicit', 'explicit'])), ttl: nullishText })),
  safety_identifier: () => nullish(z.string().check(z.maxLength(maxSafetyId))),
  moderation: () => nullish(z.strictObject({ model: someText, policy: nullishObject() })),
};

const maxMetadata = 16;
const maxMetadataName = 64;
const maxMetadataValue = 512;

export const metadataField = () =>
  nullish(
    z
      .record(z.string().check(z.maxLength(maxMetadataName)), z.string().check(z.maxLength(maxMetadataValue)))
      .check(
        z.refine(
          (pairs) => Object.keys(pairs).length <= maxMetadata,
          `must have at most ${maxMetadata} entries`,
        ),
      ),
  );

/** What `usage` of the answer has: OpenRouter's field. Source: openrouter.ai/docs/use-cases/usage-accounting. */
export const usageField = { usage: () => nullish(z.strictObject({ include: nullishFlag })) };

const maxFallbacks = 16;

export const fallbackModels = () => nullish(z.array(modelId).check(z.maxLength(maxFallbacks)));

const maxGuardrails = 8;

/** Guardrails of the tenant that apply to the request beside those that do anyway. */
export const guardrailsField = {
  guardrails: () => nullish(z.array(someText).check(z.maxLength(maxGuardrails))),
};

/** The part of `extra` that is about cached answers. */
export const cacheField = {
  cache: () =>
    nullish(
      z.strictObject({
        ttl: nullish(integerBetween(1, maxCacheTtl)),
        scope: nullish(z.enum(cacheScopes)),
        refresh: nullishFlag,
      }),
    ),
};

/** The part of `extra` that all operations with streams share. */
export const streamFields = { resumable: nullishFlag, ...cacheField };

/** The part of `extra` that chat and Responses share. */
export const extraFields = {
  fallbacks: fallbackModels,
  dry_run: nullishFlag,
  debug: () => nullish(words(z.enum(debugCategories))),
  repair: nullishFlag,
  ...guardrailsField,
};
