/** Keys as the admin API shows them, and the inputs that make and change them. A secret is only in the answer that makes it. */
import * as z from 'zod/mini';
import { maxPolicies, policyName } from '../guardrails/schema.ts';
import { cursor, filter, listOf, orderParameters, pageLimit } from '../list-schema.ts';
import { includeParameter, shownMoney, subjectMoney } from '../money-schema.ts';
import {
  keyId,
  limitsInput,
  limitsSchema,
  permissionsInput,
  permissionsSchema,
  seconds,
  shownName,
  tenantName,
} from '../tenancy-schema.ts';

/** Keys of one page. */
export const maxKeyPage = 1_000;
export const defaultKeyPage = 100;

/** Characters of the description of a key, and of the id of its owner. */
const maxKeyName = 200;
const maxOwner = 128;

/** How long an old key may work beside the one that replaces it, in seconds: a leap year. */
export const maxOverlapSeconds = 366 * 86_400;
export const defaultOverlapSeconds = 86_400;

/** By what a list of keys may be sorted: `budget` is the share that is used of the tightest one, `spend` what was charged this month. */
const keySorts = ['created', 'name', 'last_used', 'spend', 'budget'] as const;

/** Newest first, unless it is sorted otherwise: numbers and times then begin with the highest. */
export const keysListQuery = z.strictObject({
  limit: pageLimit(maxKeyPage),
  after: cursor(),
  tenant: z.optional(tenantName()),
  /** The id of a user. */
  owner: z.optional(z.string().check(z.maxLength(maxOwner))),
  status: z.optional(z.enum(['active', 'expired', 'disabled'])),
  /** A part of its name, its id or its owner. */
  search: filter(),
  ...orderParameters(keySorts),
  ...includeParameter(),
});

export const keySchema = z.object({
  object: z.literal('key'),
  id: z.string(),
  tenant: z.string(),
  /** What it is for. */
  name: z.nullable(z.string()),
  /** The id of the user whose key it is; null: the tenant's. */
  owner: z.nullable(z.string()),
  /** The first key of a chain of rotations, which shares its limits; null: the key itself. */
  family: z.nullable(z.string()),
  status: z.enum(['active', 'expired', 'disabled']),
  created_at: z.int(),
  /** To the minute; null: never. */
  last_used_at: z.nullable(z.int()),
  expires_at: z.nullable(z.int()),
  disabled_at: z.nullable(z.int()),
  limits: limitsSchema,
  ...permissionsSchema,
  /** Ids of policies of the tenant that its requests are looked at by, beside those for all; null: none. */
  guardrails: z.nullable(z.array(z.string())),
  /** What changes expect in `If-Match`: it names the state of the key, without its use. */
  etag: z.string(),
});

export const keysListAnswer = listOf(z.object({ ...keySchema.shape, ...shownMoney() }));

/** The path of one key. */
export const keyPath = z.strictObject({ key: keyId() });

/** With the use of each limit that is set, and what was charged this month. */
export const keyAnswer = z.object({ ...keySchema.shape, ...subjectMoney });

const settings = {
  name: z.optional(z.nullable(shownName(maxKeyName))),
  /** The id of the user whose key it is. A member's keys are always its own. */
  owner: z.optional(z.nullable(shownName(maxOwner))),
  expires_at: z.optional(z.nullable(seconds())),
  limits: z.optional(limitsInput),
  ...permissionsInput(),
  guardrails: z.optional(z.nullable(z.array(policyName()).check(z.minLength(1), z.maxLength(maxPolicies)))),
};

/** `tenant`: absent for that of the user who asks. */
export const keysCreateInput = z.strictObject({ tenant: z.optional(tenantName()), ...settings });

/** `key` is the secret, which is never shown again. */
export const createdKeyAnswer = z.object({ ...keySchema.shape, key: z.string() });

/** What is absent stays as it is; null removes it. */
export const keysChangeInput = z.strictObject(settings);

export const keysRotateInput = z.strictObject({
  /** How long the old key works beside the new one; a day if absent. */
  overlap_seconds: z.optional(z.int().check(z.gte(0), z.lte(maxOverlapSeconds))),
});

/** A new key with the same settings. `replaced.expires_at`: when the old one stops working. */
export const rotatedKeyAnswer = z.object({
  ...createdKeyAnswer.shape,
  replaced: z.object({ id: z.string(), expires_at: z.int() }),
});

export type KeysListQuery = z.infer<typeof keysListQuery>;
export type KeysListAnswer = z.infer<typeof keysListAnswer>;
export type KeyRow = z.infer<typeof keySchema>;
export type ListedKey = KeysListAnswer['data'][number];
export type KeyAnswer = z.infer<typeof keyAnswer>;
export type KeysCreateInput = z.infer<typeof keysCreateInput>;
export type CreatedKeyAnswer = z.infer<typeof createdKeyAnswer>;
export type KeysChangeInput = z.infer<typeof keysChangeInput>;
export type KeysRotateInput = z.infer<typeof keysRotateInput>;
export type RotatedKeyAnswer = z.infer<typeof rotatedKeyAnswer>;
