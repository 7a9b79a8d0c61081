/** Providers as the admin API shows them, and the input that sets one of their settings. A value is never in an answer. */
import * as z from 'zod/mini';
import { healthSchema } from '../health-schema.ts';
import { listOf } from '../list-schema.ts';

/** Characters of the value of a setting: the longest that the standard tier of the parameter store takes. */
export const maxSettingValue = 4_096;

/** Characters of the name of a provider, and of a setting. */
const maxProviderName = 64;

export const providersListQuery = z.strictObject({});

const providerSettingSchema = z.object({
  /** `api-key`, `base-url`, `project` and others. */
  name: z.string(),
  is_set: z.boolean(),
  /** Whether it can be stored here. False: it has a value from the environment, and no place of its own. */
  can_be_stored: z.boolean(),
  /** Where it was found: a variable, a file, a parameter; null if it is not set. */
  source: z.nullable(z.string()),
  /** When it was stored, in Unix seconds; null if that is not known: the file of a local gateway has no times. */
  stored_at: z.nullable(z.int()),
  /** Why its value cannot work; null if nothing is known against it. */
  fault: z.nullable(z.string()),
});

/** Null: unknown. */
const knownFacts = {
  /** How long content is kept, in days; 0: not at all. */
  retention_days: z.nullable(z.int()),
  /** The same for content that was flagged. */
  flagged_days: z.nullable(z.int()),
  trains: z.nullable(z.boolean()),
  /** Features with which nothing is kept either: `web_search`, types of tools, `store`. */
  zdr_features: z.nullable(z.array(z.string())),
};

const dataFacts = {
  ...knownFacts,
  /** What the operator has said; null: nothing. */
  contract: z.nullable(z.object(knownFacts)),
  /** Whether the operator has said anything. */
  written_by: z.enum(['seed', 'operator']),
  /** The provider's own document, and the day on which it was read. */
  document: z.nullable(z.string()),
  checked: z.nullable(z.string()),
};

const providerDataSchema = z.object(dataFacts);

export const providerSchema = z.object({
  object: z.literal('provider'),
  /** As in the catalog: `anthropic`. */
  id: z.string(),
  /** For people. */
  name: z.string(),
  /** Ships with the gateway, or was added by the operator. */
  kind: z.enum(['built_in', 'added']),
  configured: z.boolean(),
  /** Where what configures it was read; empty if it is not configured. */
  sources: z.array(z.string()),
  /** Why it is not configured although something is set; null otherwise. */
  problem: z.nullable(z.string()),
  /** The provider whose settings it uses, where it is the same account with another protocol; its own id otherwise. */
  account: z.string(),
  /** Those that it has, set or not. */
  settings: z.array(providerSettingSchema),
  /** How to get a key. */
  key: z.object({
    how: z.string(),
    /** A page of the provider; null: none is known. */
    url: z.nullable(z.string()),
  }),
  /** How many models of the catalog are served there. */
  models: z.int(),
  /** What it does with what it is sent. */
  data: providerDataSchema,
  health: healthSchema,
});

export const providersListAnswer = listOf(providerSchema);

/** Of the path. */
export const providersSetPath = z.strictObject({
  provider: z.string().check(z.maxLength(maxProviderName)),
  setting: z.string().check(z.maxLength(maxProviderName)),
});

/** The body. */
export const providersSetInput = z.strictObject({
  value: z.string().check(z.maxLength(maxSettingValue)),
});

export const providersSetAnswer = z.object({
  object: z.literal('provider.setting'),
  provider: z.string(),
  account: z.string(),
  setting: z.string(),
  /** Where it was stored. */
  location: z.string(),
  /** From when on the gateway uses it: `within five minutes`. */
  effect: z.string(),
});

/** `effect`: from when on the gateway is without it. */
export const providersRemoveAnswer = z.extend(providersSetAnswer, { deleted: z.literal(true) });

/** What came of a call that looks whether a credential is accepted. */
export const testedFields = {
  /** Null: the provider has no call that is free of charge. */
  ok: z.nullable(z.boolean()),
  /** What the provider answered; null: nothing. */
  status: z.nullable(z.int()),
  failure: z.nullable(z.enum(['refused', 'limited', 'failed', 'unreachable'])),
  duration_ms: z.int(),
};

export const providerTestAnswer = z.object({
  object: z.literal('provider.test'),
  provider: z.string(),
  ...testedFields,
});

/** Of the path. */
export const providerPath = z.strictObject({ provider: z.string().check(z.maxLength(maxProviderName)) });

const maxDays = 36_500;
const maxFeatures = 20;
const days = () => z.nullish(z.int().check(z.gte(0), z.lte(maxDays)));

/** Of the operator's contract. It replaces what was said before as a whole; nothing given: what the provider documents holds. */
export const providersDataInput = z.strictObject({
  retention_days: days(),
  flagged_days: days(),
  trains: z.nullish(z.boolean()),
  zdr_features: z.nullish(
    z.array(z.string().check(z.regex(/^[a-z][a-z0-9_]{0,63}$/))).check(z.maxLength(maxFeatures)),
  ),
});

export const providersDataAnswer = z.object({
  object: z.literal('provider.data'),
  provider: z.string(),
  ...dataFacts,
});

export type ProviderDataAnswer = z.infer<typeof providerDataSchema>;
export type ProvidersDataInput = z.infer<typeof providersDataInput>;
export type ProvidersDataAnswer = z.infer<typeof providersDataAnswer>;
export type ProvidersListAnswer = z.infer<typeof providersListAnswer>;
export type ProviderAnswer = z.infer<typeof providerSchema>;
export type ProvidersRemoveAnswer = z.infer<typeof providersRemoveAnswer>;
export type ProviderTestAnswer = z.infer<typeof providerTestAnswer>;
export type ProvidersSetAnswer = z.infer<typeof providersSetAnswer>;
