/**
 * The body of a request to the Responses operation: every field that is served with its limits, and no other.
 *
 * An optional field may be null, and then counts as absent. Unknown fields are refused, but left out inside items and tools.
 */
import * as z from 'zod/mini';
import { lazy } from '../../../async/lazy.ts';
import { strictObjectOf } from '../../../core/formats/given-fields.ts';
import { reasoningEfforts } from '../../../core/generation/parameters.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import { chosenVariant } from '../../chosen-variant.ts';
import {
  atLeastOne,
  between,
  extraFields,
  jsonObject,
  jsonSchemaFields,
  longList,
  metadataField,
  modelId,
  nullish,
  nullishFlag,
  nullishText,
  platformFields,
  serviceTier,
  someText,
  stopSequences,
  streamFields,
  toolLimit,
  topLogprobs,
  usageField,
  verbosity,
  words,
} from '../../request-schema.ts';
import { routingFields } from '../../routing/schema.ts';
import { includables } from '../stored/stored-format.ts';
import { itemSchema, unserved } from './item-schema.ts';
import { toolChoiceSchema, toolSchema } from './tool-schema.ts';

const flatJsonSchema = lazy(() => strictObjectOf({ type: z.literal('json_schema'), ...jsonSchemaFields }));
const nestedJsonSchema = lazy(() =>
  strictObjectOf({
    type: z.literal('json_schema'),
    json_schema: strictObjectOf(jsonSchemaFields),
  }),
);
const textFormat = lazy(() => strictObjectOf({ type: z.literal('text') }));
const objectFormat = lazy(() => strictObjectOf({ type: z.literal('json_object') }));

const textFormatSchema = () =>
  chosenVariant(
    ['text', 'json_object', 'json_schema'],
    ({ type, json_schema: nested }: JsonObject) => {
      if (type === 'json_schema') return (nested == null ? flatJsonSchema : nestedJsonSchema)();
      if (type === 'json_object') return objectFormat();
      return type === 'text' ? textFormat() : undefined;
    },
    () => [textFormat(), objectFormat(), flatJsonSchema(), nestedJsonSchema()],
  );

export type TextFormatBody = z.output<ReturnType<typeof textFormatSchema>>;

const summarySchema = () => nullish(z.enum(['auto', 'concise', 'detailed']));

const otherMode = "is not supported: use 'native_fields.reasoning.mode' where the provider has it";

const reasoningSchema = () =>
  strictObjectOf({
    effort: () => nullish(z.enum(reasoningEfforts)),
    summary: summarySchema,
    generate_summary: summarySchema,
    context: () => nullish(z.enum(['auto', 'current_turn', 'all_turns'])),
    // It is how every model reasons; other modes cost more, at prices that the catalog does not have.
    mode: () => nullish(z.literal('standard', otherMode)),
  });

/** Of `context_management`: as many entries as are of use with one type, and room for others. */
const maxManaged = 8;

const compaction = () => strictObjectOf({ type: z.literal('compaction'), compact_threshold: atLeastOne });

export const inputField = z.union([someText, z.lazy(() => longList(itemSchema()).check(z.minLength(1)))]);

export const responsesSchema = strictObjectOf({
  model: modelId,
  input: inputField,
  instructions: nullishText,
  previous_response_id: () => nullish(someText),
  store: nullishFlag,
  stream: nullishFlag,
  stream_options: () => nullish(z.strictObject({ include_obfuscation: nullishFlag })),
  include: () => nullish(words(z.enum(includables))),
  temperature: () => nullish(between(0, 2)),
  top_p: () => nullish(between(0, 1)),
  max_output_tokens: atLeastOne,
  stop: () => nullish(stopSequences()),
  top_logprobs: topLogprobs,
  tools: () => nullish(z.array(toolSchema()).check(z.maxLength(toolLimit))),
  tool_choice: () => nullish(toolChoiceSchema()),
  parallel_tool_calls: nullishFlag,
  max_tool_calls: atLeastOne,
  text: () => nullish(z.strictObject({ format: nullish(textFormatSchema()), verbosity: verbosity() })),
  reasoning: () => nullish(reasoningSchema()),
  truncation: () => nullish(z.enum(['auto', 'disabled'])),
  metadata: metadataField,
  user: nullishText,
  service_tier: serviceTier,
  background: nullishFlag,
  conversation: () => unserved("is not supported: use 'previous_response_id' instead"),
  prompt: () => unserved("is not supported: use 'instructions' and 'input' instead"),
  context_management: () => nullish(z.array(compaction()).check(z.minLength(1), z.maxLength(maxManaged))),
  image: () =>
    nullish(z.strictObject({ context_compression: nullish(z.enum(['auto', 'enabled', 'disabled'])) })),
  access_programs: () =>
    nullish(z.strictObject({ cyber: nullish(z.enum(['standard', 'daybreak_blue', 'daybreak_red'])) })),
  ...platformFields,
  // Sent by Codex. It does not affect the answer, and is not sent upstream.
  client_metadata: () => nullish(jsonObject),
  native_fields: () => nullish(jsonObject),
  ...routingFields,
  ...usageField,
  extra: () => nullish(strictObjectOf({ ...extraFields, ...streamFields })),
});

export type ResponsesBody = z.infer<typeof responsesSchema>;
