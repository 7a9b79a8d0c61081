/** Limits and permissions of tenants and keys: as they are given, and as they are shown. */
import * as z from 'zod/mini';
import { parseDollars } from '../core/accounting/money.ts';
import { isRegionName } from '../core/catalog/regions.ts';
import { isModelPattern, isOperationName } from '../core/tenancy.ts';
import { cacheInput, cacheSchema } from './cache-fields.ts';

/** Models or operations that a tenant or a key is restricted to. */
const maxAllowed = 200;

/** Characters of the id of a model. */
export const maxModelId = 256;

/** Characters of the name of a tenant. */
export const maxTenantName = 63;

/** Characters of an amount in US dollars. */
const maxAmount = 30;

/** The last second of the year 9999: later times have no form as a date. */
const lastSecond = 253_402_300_799;

const amountProblem =
  'must be an amount in US dollars as text, such as "50" or "0.25", with at most nine decimals and below 9 million';

/** An amount of US dollars, as text. */
export const dollars = () =>
  z.string(amountProblem).check(
    z.maxLength(maxAmount),
    z.refine((text) => parseDollars(text) !== undefined, amountProblem),
  );

const countProblem = 'must be a whole number of at least 1';
const count = () => z.int(countProblem).check(z.gte(1, countProblem));

/** A time in Unix seconds. */
export const seconds = () => z.int().check(z.gte(0), z.lte(lastSecond));

export const tenantName = () =>
  z
    .string()
    .check(
      z.regex(
        /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
        'must have 1 to 63 letters, digits, dots, dashes or underscores, and start with a letter or digit',
      ),
    );

/** A name that people give and lists show. What is not seen, or turns the direction of what is seen, could show another name. */
export const shownName = (max: number) =>
  z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(max),
      z.regex(
        /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u,
        'must have no line breaks, control characters or marks of direction',
      ),
    );

/** The id of a key, as in `key_0123456789ab`. */
export const keyId = () => z.string().check(z.maxLength(64));

/** Budgets are for a period of UTC: a day, a week from Monday, a calendar month, ever. Null removes a limit; absent leaves it. */
const userLimits = () => ({
  requests_per_minute: z.optional(z.nullable(count())),
  /** Input and output tokens together. */
  tokens_per_minute: z.optional(z.nullable(count())),
  concurrent_requests: z.optional(z.nullable(count())),
  daily_budget_usd: z.optional(z.nullable(dollars())),
  weekly_budget_usd: z.optional(z.nullable(dollars())),
  monthly_budget_usd: z.optional(z.nullable(dollars())),
  total_budget_usd: z.optional(z.nullable(dollars())),
  /** Whether budgets count what providers take of the tenant for calls with its own keys, too. */
  include_own_keys: z.optional(z.nullable(z.boolean())),
});

export const userLimitsInput = z.strictObject(userLimits());

/** `credit_usd`: the total of all prepayments. */
export const limitsInput = z.strictObject({
  ...userLimits(),
  credit_usd: z.optional(z.nullable(dollars())),
});

/** Ids of models, or `owner/*` for all models of an owner; null: all. */
export const modelsInput = () =>
  z.nullable(
    z
      .array(
        z
          .string()
          .check(
            z.maxLength(maxModelId),
            z.refine(
              isModelPattern,
              'must be the id of a model (owner/model) or all models of an owner (owner/*)',
            ),
          ),
      )
      .check(z.minLength(1), z.maxLength(maxAllowed)),
  );

/** Names of operations; null: all. */
const operationsInput = () =>
  z.nullable(
    z
      .array(
        z.string().check(z.maxLength(64), z.refine(isOperationName, 'is not an operation of the gateway')),
      )
      .check(z.minLength(1), z.maxLength(maxAllowed)),
  );

/** Names in one list of a data policy. */
const maxPolicyNames = 20;

const policyNames = (pattern: RegExp, problem: string) =>
  z.nullish(
    z.array(z.string().check(z.regex(pattern, problem))).check(z.minLength(1), z.maxLength(maxPolicyNames)),
  );

const policyRegions = z.nullish(
  z
    .array(
      z.string().check(
        z.maxLength(40),
        z.refine(
          (name) => name === 'global' || isRegionName(name),
          'must be a region group, such as eu, or a region of AWS',
        ),
      ),
    )
    .check(z.minLength(1), z.maxLength(maxPolicyNames)),
);

const providers = () =>
  policyNames(
    /^[a-z][a-z0-9-]{0,39}(\/[a-z0-9-]{1,40})?$/,
    'must be a provider, or a provider and its region: bedrock/us-east-1',
  );

/** What may be done with what is sent. It replaces the policy before it as a whole; null removes it. */
export const dataPolicyInput = () =>
  z.nullable(
    z.strictObject({
      /** Only deployments that are known to keep nothing, and no cached answers. */
      zdr: z.optional(z.boolean()),
      /** Only deployments that are known not to train on it. */
      no_training: z.optional(z.boolean()),
      /** Only deployments that are known to stay within these regions and region groups. */
      regions: policyRegions,
      providers: z.nullish(z.strictObject({ only: providers(), ignore: providers() })),
      /** The gateway stores nothing of it. */
      no_store: z.optional(z.boolean()),
    }),
  );

const names = z.nullable(z.array(z.string()));

/** Null: no policy of its own. */
const dataPolicySchema = z.nullable(
  z.object({
    zdr: z.boolean(),
    no_training: z.boolean(),
    regions: names,
    providers: z.object({ only: names, ignore: names }),
    no_store: z.boolean(),
  }),
);

/** What a key may do, and a tenant with all its keys. */
export const permissionsInput = () => ({
  models: z.optional(modelsInput()),
  operations: z.optional(operationsInput()),
  data_policy: z.optional(dataPolicyInput()),
  cache: z.optional(cacheInput()),
});

export const permissionsSchema = {
  /** Null: all. */
  models: names,
  operations: names,
  data_policy: dataPolicySchema,
  cache: cacheSchema,
};

const number = z.nullable(z.int());
const amount = z.nullable(z.string());

const shownUserLimits = {
  requests_per_minute: number,
  tokens_per_minute: number,
  concurrent_requests: number,
  daily_budget_usd: amount,
  weekly_budget_usd: amount,
  monthly_budget_usd: amount,
  total_budget_usd: amount,
  include_own_keys: z.nullable(z.literal(true)),
};

/** Null where there is no limit. */
export const userLimitsSchema = z.object(shownUserLimits);
export const limitsSchema = z.object({ ...shownUserLimits, credit_usd: amount });

/** How much of one limit is used. Amounts of dollars are text, others numbers. */
export const limitUseSchema = z.object({
  /** As in `limits`. */
  limit: z.string(),
  set: z.union([z.string(), z.int()]),
  /** With what is held for running requests. */
  used: z.union([z.string(), z.int()]),
  /** The part of it that is held for running requests; null where nothing is held. */
  held: z.nullable(z.string()),
  left: z.union([z.string(), z.int()]),
  /** From 0 to 1; 1 also where more is used. */
  share: z.number(),
  /** When the limit starts again; null: never. */
  resets_at: z.nullable(z.int()),
});

export type DataPolicyInput = z.infer<ReturnType<typeof dataPolicyInput>>;
export type DataPolicyAnswer = z.infer<typeof dataPolicySchema>;
export type LimitsInput = z.infer<typeof limitsInput>;
export type LimitsAnswer = z.infer<typeof limitsSchema>;
export type UserLimitsAnswer = z.infer<typeof userLimitsSchema>;
export type LimitUseAnswer = z.infer<typeof limitUseSchema>;
export type LimitField = keyof LimitsAnswer;
