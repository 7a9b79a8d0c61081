/** Guardrails of a tenant as the admin API takes and shows them. */
import * as z from 'zod/mini';
import { guardActions } from '../../core/guardrails/guard-record.ts';
import { personalData } from '../../core/guardrails/local-rules.ts';
import { actions, phases } from '../../core/guardrails/policy.ts';
import { bedrockChecks } from '../../core/guardrails/remote-rules.ts';
import { deletedOf, listOf } from '../list-schema.ts';
import { dollars, tenantName } from '../tenancy-schema.ts';

/** Guardrails of a tenant. */
export const maxPolicies = 8;
/** Rules of one of them. */
const maxRules = 16;
const maxWords = 1_000;
const maxWordLength = 100;
const maxPatterns = 50;
const maxPatternLength = 500;
/** Characters of a name, an ARN or a URL. */
const maxText = 512;

const minTimeoutMs = 50;
const maxTimeoutMs = 3_000;

export const ruleKinds = [
  'words',
  'pattern',
  'pii',
  'secrets',
  'bedrock',
  'bedrock_checks',
  'openai',
  'webhook',
] as const;

const nameProblem = 'must have 1 to 40 lower-case letters, digits, dashes or underscores';
export const policyName = () => z.string().check(z.regex(/^[a-z0-9_-]{1,40}$/, nameProblem));
const text = () => z.string().check(z.minLength(1), z.maxLength(maxText));

const rule = z.strictObject({
  id: policyName(),
  kind: z.enum(ruleKinds),
  on: z.array(z.enum(phases)).check(z.minLength(1), z.maxLength(phases.length)),
  action: z.enum(actions),
  when: z.optional(z.enum(['before', 'parallel'])),
  on_failure: z.optional(z.enum(['open', 'closed'])),
  timeout_ms: z.optional(z.int().check(z.gte(minTimeoutMs), z.lte(maxTimeoutMs))),
  words: z.optional(
    z
      .array(z.string().check(z.minLength(1), z.maxLength(maxWordLength)))
      .check(z.minLength(1), z.maxLength(maxWords)),
  ),
  patterns: z.optional(
    z
      .array(z.string().check(z.minLength(1), z.maxLength(maxPatternLength)))
      .check(z.minLength(1), z.maxLength(maxPatterns)),
  ),
  types: z.optional(z.array(text()).check(z.minLength(1), z.maxLength(maxPatterns))),
  guardrail: z.optional(text()),
  guardrail_version: z.optional(text()),
  region: z.optional(text()),
  checks: z.optional(z.array(z.enum(bedrockChecks)).check(z.minLength(1), z.maxLength(bedrockChecks.length))),
  threshold: z.optional(z.number().check(z.gte(0), z.lte(1))),
  url: z.optional(text()),
  unit_price_usd: z.optional(dollars()),
});

const fields = {
  always: z.boolean(),
  scan: z.enum(['new', 'all']),
  output: z.enum(['window', 'whole', 'flag']),
  answer: z.enum(['error', 'refusal']),
};

/** A version of its own: what is absent has its default. */
export const guardrailsPutInput = z.strictObject({
  always: z.optional(fields.always),
  scan: z.optional(fields.scan),
  output: z.optional(fields.output),
  answer: z.optional(fields.answer),
  rules: z.array(rule).check(z.minLength(1), z.maxLength(maxRules)),
});

/** Characters of a text that is tested. */
const maxTestedText = 100_000;
/** Of one rule; more of them are counted. */
export const maxMatches = 100;

export const guardrailsTestInput = z.strictObject({
  text: z.string().check(z.minLength(1), z.maxLength(maxTestedText)),
  on: z.optional(z.enum(phases)),
  remote: z.optional(z.boolean()),
  draft: z.optional(guardrailsPutInput),
});

export const guardrailPath = z.strictObject({ tenant: tenantName(), guardrail: policyName() });

export const guardrailSchema = z.object({
  object: z.literal('guardrail'),
  id: z.string(),
  tenant: z.string(),
  /** A change makes a new one. */
  version: z.int(),
  /** What changes expect in `If-Match`. */
  etag: z.string(),
  ...fields,
  rules: z.array(rule),
});

/** `webhook_secrets`: by the ids of the rules that got one, and never shown again. */
export const guardrailsPutAnswer = z.extend(guardrailSchema, {
  webhook_secrets: z.optional(z.record(z.string(), z.string())),
});

export const guardrailsListAnswer = listOf(guardrailSchema);

export const guardrailsDeleteAnswer = deletedOf('guardrail');

const testActions = [...guardActions, 'not_asked'] as const;

/** It never has the text, nor a part of it. */
export const guardrailsTestAnswer = z.object({
  object: z.literal('guardrail_test'),
  id: z.string(),
  /** Null: of a draft. */
  version: z.nullable(z.int()),
  on: z.enum(phases),
  rules: z.array(
    z.object({
      rule: z.string(),
      kind: z.enum(ruleKinds),
      action: z.enum(testActions),
      matches: z.array(z.object({ label: z.string(), start: z.nullable(z.int()), end: z.nullable(z.int()) })),
      match_count: z.int(),
      failure: z.nullable(z.string()),
      duration_ms: z.int(),
      units: z.int(),
      cost_usd: z.nullable(z.string()),
    }),
  ),
});

export const personalTypes: readonly string[] = personalData;

export type RuleInput = z.infer<typeof rule>;
export type GuardrailRow = z.infer<typeof guardrailSchema>;
export type GuardrailsListAnswer = z.infer<typeof guardrailsListAnswer>;
export type GuardrailsPutAnswer = z.infer<typeof guardrailsPutAnswer>;
export type GuardrailsPutInput = z.infer<typeof guardrailsPutInput>;
export type GuardrailsTestInput = z.infer<typeof guardrailsTestInput>;
export type GuardrailsTestAnswer = z.infer<typeof guardrailsTestAnswer>;
export type GuardrailsDeleteAnswer = z.infer<typeof guardrailsDeleteAnswer>;
