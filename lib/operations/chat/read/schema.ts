/**
 * The body of a chat completion request: every field that is served with its limits, and no other.
 *
 * An optional field may be null, and then counts as absent. Unknown fields are refused, but left out inside messages and tools.
 */
import * as z from 'zod/mini';
import { objectOf, strictObjectOf } from '../../../core/formats/given-fields.ts';
import { maxChoices } from '../../../core/generation/events.ts';
import { namedVariant } from '../../chosen-variant.ts';
import {
  atLeastOne,
  between,
  extraFields,
  functionFields,
  grammarFields,
  integerBetween,
  jsonObject,
  jsonSchemaFields,
  locationFields,
  longList,
  metadataField,
  modelId,
  nullish,
  nullishFlag,
  nullishText,
  platformFields,
  serviceTier,
  stopSequences,
  streamFields,
  tokenCount,
  toolLimit,
  toolName,
  topLogprobs,
  usageField,
  verbosity,
  words,
} from '../../request-schema.ts';
import { chatRoutingFields } from '../../routing/schema.ts';
import { messageSchema } from './message-schema.ts';
import { cacheControl } from './part-schema.ts';
import { reasoningFields } from './read-reasoning.ts';

const onlyText = 'is not supported: answers are text';

/** What the answer is expected to be, for the most part. */
const predictionSchema = () =>
  z.strictObject({
    type: z.literal('content'),
    content: z.union([
      z.string(),
      longList(z.strictObject({ type: z.literal('text'), text: z.string() })).check(z.minLength(1)),
    ]),
  });

/** A field that is no longer part of the request surface. */
const instead = (replacement: string) => () =>
  z.optional(z.null(`is not supported: use '${replacement}' instead`));

const customFormat = () =>
  namedVariant({
    text: () => z.object({ type: z.literal('text') }),
    grammar: () => z.object({ type: z.literal('grammar'), grammar: z.object(grammarFields()) }),
  });

const toolSchema = () =>
  namedVariant({
    function: () =>
      z.object({
        type: z.literal('function'),
        function: objectOf(functionFields),
        cache_control: cacheControl(),
      }),
    custom: () =>
      z.object({
        type: z.literal('custom'),
        custom: z.object({ name: toolName, description: nullishText, format: nullish(customFormat()) }),
        cache_control: cacheControl(),
      }),
  });

const namedTools = {
  function: () =>
    z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: toolName }) }),
  custom: () => z.strictObject({ type: z.literal('custom'), custom: z.strictObject({ name: toolName }) }),
};

const allowedTools = () =>
  z.strictObject({
    type: z.literal('allowed_tools'),
    allowed_tools: z.strictObject({
      mode: z.enum(['auto', 'required']),
      tools: z.array(namedVariant(namedTools)).check(z.minLength(1), z.maxLength(toolLimit)),
    }),
  });

const toolChoiceSchema = () =>
  z.union([
    z.enum(['none', 'auto', 'required']),
    namedVariant({ ...namedTools, allowed_tools: allowedTools }),
  ]);

const responseFormatSchema = () =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text') }),
    z.strictObject({ type: z.literal('json_object') }),
    z.strictObject({ type: z.literal('json_schema'), json_schema: strictObjectOf(jsonSchemaFields) }),
  ]);

const searchOptions = () =>
  nullish(
    z.strictObject({
      search_context_size: nullish(z.enum(['low', 'medium', 'high'])),
      user_location: nullish(
        z.strictObject({ type: z.literal('approximate'), approximate: strictObjectOf(locationFields) }),
      ),
    }),
  );

const extraSchema = () => strictObjectOf({ ...extraFields, ...streamFields, normalize: nullishFlag });

const penalty = () => nullish(between(-2, 2));

export const chatSchema = strictObjectOf({
  model: modelId,
  messages: longList(messageSchema).check(z.minLength(1)),
  temperature: () => nullish(between(0, 2)),
  top_p: () => nullish(between(0, 1)),
  // Sampling as hosts of open models have it.
  top_k: tokenCount,
  min_p: () => nullish(between(0, 1)),
  repetition_penalty: () => nullish(between(0, 2)),
  max_tokens: atLeastOne,
  max_completion_tokens: atLeastOne,
  stream: nullishFlag,
  stream_options: () =>
    nullish(z.strictObject({ include_usage: nullishFlag, include_obfuscation: nullishFlag })),
  frequency_penalty: penalty,
  presence_penalty: penalty,
  stop: () => nullish(z.union([z.string(), stopSequences()])),
  seed: () => nullish(z.int()),
  logprobs: nullishFlag,
  top_logprobs: topLogprobs,
  tools: () => nullish(z.array(toolSchema()).check(z.maxLength(toolLimit))),
  tool_choice: () => nullish(toolChoiceSchema()),
  functions: instead('tools'),
  function_call: instead('tool_choice'),
  response_format: () => nullish(responseFormatSchema()),
  ...reasoningFields,
  verbosity,
  modalities: () => nullish(words(z.literal('text', onlyText))),
  audio: () => z.optional(z.null(onlyText)),
  prediction: () => nullish(predictionSchema()),
  user: nullishText,
  n: () => nullish(integerBetween(1, maxChoices)),
  parallel_tool_calls: nullishFlag,
  service_tier: serviceTier,
  store: nullishFlag,
  metadata: metadataField,
  logit_bias: () => nullish(z.record(z.string(), between(-100, 100))),
  web_search_options: searchOptions,
  ...platformFields,
  native_fields: () => nullish(jsonObject),
  ...chatRoutingFields,
  ...usageField,
  extra: () => nullish(extraSchema()),
});

export type ChatBody = z.infer<typeof chatSchema>;
