/** The credit of a tenant, as the admin API shows it, and the input that adds to it. */
import * as z from 'zod/mini';
import { dollars, seconds } from '../tenancy-schema.ts';

/** Characters of the note of a grant, of the reason of an adjustment, and of an id that the client gives. */
const longestNote = 200;

const maxClientId = 64;

/** The highest number of the order in which grants are used, and the default. */
const maxPriority = 1_000;

export const defaultPriority = 100;

export const grantSchema = z.object({
  id: z.string(),
  amount_usd: z.string(),
  left_usd: z.string(),
  /** Lower is used first. */
  priority: z.int(),
  given_at: z.int(),
  expires_at: z.nullable(z.int()),
  by: z.string(),
  note: z.nullable(z.string()),
});

export const clientId = () =>
  z
    .string()
    .check(
      z.regex(
        /^[A-Za-z0-9._-]{1,64}$/,
        `must have 1 to ${maxClientId} letters, digits, dots, dashes or underscores`,
      ),
    );

export const creditAddInput = z.strictObject({
  /** Chosen by the client: a request that is repeated with the same id counts once. */
  id: clientId(),
  amount_usd: dollars(),
  /** The beginning of a day (UTC). */
  expires_at: z.optional(z.nullable(seconds())),
  priority: z.optional(z.int().check(z.gte(0), z.lte(maxPriority))),
  note: z.optional(z.nullable(z.string().check(z.maxLength(longestNote)))),
});

export const creditAddAnswer = z.object({
  object: z.literal('credit'),
  /** As given. */
  id: z.string(),
  tenant: z.string(),
  amount_usd: z.string(),
  /** The total of all prepayments. */
  credit_usd: z.string(),
});

export type GrantAnswer = z.infer<typeof grantSchema>;

export type CreditAddInput = z.infer<typeof creditAddInput>;

export type CreditAddAnswer = z.infer<typeof creditAddAnswer>;
