/**
 * The body of a chat completion request: every field that is served with its limits, and no other.
 *
 * A field that OpenAI's public schema lets be null may be null here too, and then counts as absent.
 */
import * as z from 'zod/mini';
import { reasoningEfforts } from '../../core/generation.ts';
import { debugCategories } from '../debug.ts';
import { cacheControl, messageSchema, nullish } from './message-schema.ts';

const between = (low: number, high: number) => z.number().check(z.gte(low), z.lte(high));
const atLeastOne = z.int().check(z.gte(1));

/** A field that is no longer part of the request surface. */
const instead = (replacement: string) =>
  z.optional(z.undefined(`is not supported: use '${replacement}' instead`));

const jsonObject = z.record(z.string(), z.unknown());
const toolName = z
  .string()
  .check(
    z.regex(
      /^[a-zA-Z0-9_.:-]{1,128}$/,
      'must have 1 to 128 letters, digits, dots, colons, underscores or dashes',
    ),
  );

const toolSchema = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: toolName,
    description: nullish(z.string()),
    parameters: nullish(jsonObject),
    strict: nullish(z.boolean()),
  }),
  cache_control: cacheControl,
});

const toolChoiceSchema = z.union([
  z.enum(['none', 'auto', 'required']),
  z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: toolName }) }),
]);

const responseFormatSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      name: z.string().check(z.minLength(1)),
      description: nullish(z.string()),
      schema: nullish(jsonObject),
      strict: nullish(z.boolean()),
    }),
  }),
]);

const metadataSchema = z
  .record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(512)))
  .check(z.refine((pairs) => Object.keys(pairs).length <= 16, 'must have at most 16 entries'));

const extraSchema = z.strictObject({
  fallbacks: z.optional(z.array(z.string().check(z.minLength(1))).check(z.maxLength(16))),
  normalize: z.optional(z.boolean()),
  debug: z.optional(z.array(z.enum(debugCategories))),
});

export const chatSchema = z.strictObject({
  model: z.string().check(z.minLength(1)),
  messages: z.array(messageSchema).check(z.minLength(1)),
  temperature: nullish(between(0, 2)),
  top_p: nullish(between(0, 1)),
  max_tokens: nullish(atLeastOne),
  max_completion_tokens: nullish(atLeastOne),
  stream: nullish(z.boolean()),
  stream_options: nullish(z.strictObject({ include_usage: nullish(z.boolean()) })),
  frequency_penalty: nullish(between(-2, 2)),
  presence_penalty: nullish(between(-2, 2)),
  stop: nullish(z.union([z.string(), z.array(z.string()).check(z.minLength(1), z.maxLength(4))])),
  seed: nullish(z.int()),
  logprobs: nullish(z.boolean()),
  top_logprobs: nullish(z.int().check(z.gte(0), z.lte(20))),
  tools: z.optional(z.array(toolSchema).check(z.maxLength(1024))),
  tool_choice: z.optional(toolChoiceSchema),
  functions: instead('tools'),
  function_call: instead('tool_choice'),
  response_format: z.optional(responseFormatSchema),
  reasoning_effort: nullish(z.enum(reasoningEfforts)),
  user: z.optional(z.string()),
  n: nullish(z.int().check(z.gte(1), z.lte(128))),
  parallel_tool_calls: z.optional(z.boolean()),
  service_tier: nullish(z.enum(['auto', 'default', 'flex'])),
  store: nullish(z.boolean()),
  metadata: nullish(metadataSchema),
  logit_bias: nullish(z.record(z.string(), between(-100, 100))),
  extra: z.optional(extraSchema),
});

export type ChatBody = z.infer<typeof chatSchema>;
