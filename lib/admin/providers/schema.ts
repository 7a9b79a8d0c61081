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
  /** Why its value cannot work; null if nothing is known against it. */
  fault: z.nullable(z.string()),
});

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

export type ProvidersListAnswer = z.infer<typeof providersListAnswer>;
export type ProviderAnswer = z.infer<typeof providerSchema>;
export type ProvidersSetAnswer = z.infer<typeof providersSetAnswer>;
