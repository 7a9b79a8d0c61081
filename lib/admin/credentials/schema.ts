/** Credentials of a tenant's own as the admin API shows them, and the inputs that make and change them. A secret is in no answer. */
import * as z from 'zod/mini';
import { credentialFallbacks, maxCredentials } from '../../core/credential.ts';
import { deletedOf, listOf } from '../list-schema.ts';
import { maxSettingValue, testedFields } from '../providers/schema.ts';
import { keyId, modelsInput, shownName, tenantName } from '../tenancy-schema.ts';

const maxName = 100;
const maxProviderName = 64;
/** API keys that a credential is for. */
const maxKeys = 100;

const fact = z.nullable(z.boolean());

export const credentialSchema = z.object({
  object: z.literal('credential'),
  id: z.string(),
  tenant: z.string(),
  /** The account whose settings it has, which several providers may share: `openai`. */
  provider: z.string(),
  name: z.nullable(z.string()),
  status: z.enum(['active', 'disabled']),
  /** Among those for the provider, from 0: the first is used first. */
  position: z.int(),
  /** `none`: the gateway's own accounts are not called for its models. */
  fallback: z.enum(credentialFallbacks),
  /** Ids of models, or `owner/*`; null: all. */
  models: z.nullable(z.array(z.string())),
  /** Ids of API keys of the tenant; null: all. */
  keys: z.nullable(z.array(z.string())),
  /** By the tenant's contract with the provider, as an operator says; null: as the provider documents it. */
  collects_data: fact,
  retains_data: fact,
  /** Those that are no secret, such as `project`. */
  settings: z.record(z.string(), z.string()),
  /** The last four characters of the secret; empty of a short one. */
  last4: z.string(),
  /** The same for the same secret, to tell two apart. */
  fingerprint: z.string(),
  created_at: z.int(),
  /** To some minutes; null: never. */
  last_used_at: z.nullable(z.int()),
  last_failed_at: z.nullable(z.int()),
  /** What the provider said when it refused it last: a plain name, or the status. */
  last_failure: z.nullable(z.string()),
});

export const credentialsListAnswer = listOf(credentialSchema);

export const credentialPath = z.strictObject({
  tenant: tenantName(),
  credential: z.string().check(z.maxLength(64)),
});

const changeable = {
  name: z.optional(z.nullable(shownName(maxName))),
  fallback: z.optional(z.enum(credentialFallbacks)),
  models: z.optional(modelsInput()),
  keys: z.optional(z.nullable(z.array(keyId()).check(z.minLength(1), z.maxLength(maxKeys)))),
  collects_data: z.optional(fact),
  retains_data: z.optional(fact),
};

export const credentialsCreateInput = z.strictObject({
  provider: z.string().check(z.maxLength(maxProviderName)),
  /** By name, such as `api-key`; for Azure also `resource`, for Vertex `credentials`, `project` and `location`. */
  settings: z.record(
    z.string().check(z.maxLength(maxProviderName)),
    z.string().check(z.maxLength(maxSettingValue)),
  ),
  ...changeable,
});

/** What is absent stays as it is; null removes it. A secret is not changed: add another credential, move it up, and delete this one. */
export const credentialsChangeInput = z.strictObject({
  ...changeable,
  disabled: z.optional(z.boolean()),
  position: z.optional(z.int().check(z.gte(0), z.lt(maxCredentials))),
});

export const credentialsDeleteAnswer = deletedOf('credential');

export const credentialTestAnswer = z.object({
  object: z.literal('credential_test'),
  id: z.string(),
  ...testedFields,
});

export type CredentialRow = z.infer<typeof credentialSchema>;
export type CredentialsListAnswer = z.infer<typeof credentialsListAnswer>;
export type CredentialsCreateInput = z.infer<typeof credentialsCreateInput>;
export type CredentialsChangeInput = z.infer<typeof credentialsChangeInput>;
export type CredentialsDeleteAnswer = z.infer<typeof credentialsDeleteAnswer>;
export type CredentialTestAnswer = z.infer<typeof credentialTestAnswer>;
