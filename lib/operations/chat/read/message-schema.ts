/**
 * The messages of a chat completion request. Fields that are not listed are left out, and recorded: clients add some of their own to
 * what they send back.
 */
import * as z from 'zod/mini';
import { objectOf } from '../../../core/formats/given-fields.ts';
import { namedVariant } from '../../chosen-variant.ts';
import { longList, nullish, nullishText, someText } from '../../request-schema.ts';
import { cacheControl, resultPart, textPart, userPart } from './part-schema.ts';

/** One text, or parts. */
const content = <Part extends z.core.$ZodType>(part: () => Part) =>
  z.union([z.string(), z.lazy(() => longList(part()).check(z.minLength(1)))]);

const assistantPart = () =>
  z.discriminatedUnion('type', [textPart(), z.object({ type: z.literal('refusal'), refusal: z.string() })]);

/** Of who says something, in characters. */
const maxSpeakerName = 256;

const common = {
  name: () => nullish(z.string().check(z.minLength(1), z.maxLength(maxSpeakerName))),
  cache_control: cacheControl,
};

/** A thought signature of Gemini, as in Google's own OpenAI-compatible API. */
const extraContent = () =>
  nullish(z.object({ google: nullish(z.object({ thought_signature: nullishText })) }));

const callFields = {
  id: someText,
  // Streamed calls have it, and some callers send them back unchanged.
  index: () => nullish(z.int()),
  extra_content: extraContent,
  // The same signature, where LiteLLM keeps it.
  provider_specific_fields: () => nullish(z.object({ thought_signature: nullishText })),
  cache_control: cacheControl,
};

const toolCall = () =>
  namedVariant({
    function: () =>
      objectOf({
        type: z.literal('function'),
        function: z.object({
          name: someText,
          arguments: z.string(),
          parsed_arguments: z.optional(z.unknown()),
        }),
        ...callFields,
      }),
    custom: () =>
      objectOf({
        type: z.literal('custom'),
        custom: z.object({ name: someText, input: z.string() }),
        ...callFields,
      }),
  });

const detailBase = { format: nullishText, index: () => nullish(z.int()), id: nullishText };

const reasoningDetail = () =>
  z.discriminatedUnion('type', [
    objectOf({
      ...detailBase,
      type: z.literal('reasoning.text'),
      text: z.string(),
      signature: nullishText,
    }),
    objectOf({ ...detailBase, type: z.literal('reasoning.summary'), summary: z.string() }),
    objectOf({ ...detailBase, type: z.literal('reasoning.encrypted'), data: z.string() }),
  ]);

const reasoningDetails = () => nullish(longList(reasoningDetail()));

const useToolCalls = "is not supported: use 'tool_calls' instead";

/**
 * An assistant message may be one that the gateway answered with, sent back unchanged, or as the official SDK returns it
 * to its users: with what it has parsed.
 */
const assistantMessage = objectOf({
  ...common,
  role: z.literal('assistant'),
  content: nullish(content(assistantPart)),
  refusal: nullishText,
  tool_calls: () => nullish(longList(toolCall())),
  reasoning_content: nullishText,
  // Another name of it, at OpenRouter, Groq and vLLM.
  reasoning: nullishText,
  reasoning_details: reasoningDetails,
  // Some clients send back here what an answer had beside OpenAI's own fields.
  extra_content: extraContent,
  provider_specific_fields: () =>
    nullish(objectOf({ thought_signature: nullishText, reasoning_details: reasoningDetails })),
  parsed: () => z.optional(z.unknown()),
  annotations: () => nullish(z.array(z.unknown())),
  audio: () => z.optional(z.null()),
  function_call: () => z.optional(z.null(useToolCalls)),
});

const textContent = content(textPart);

export const messageSchema = z.discriminatedUnion('role', [
  objectOf({ ...common, role: z.literal('system'), content: textContent }),
  objectOf({ ...common, role: z.literal('developer'), content: textContent }),
  objectOf({ ...common, role: z.literal('user'), content: content(userPart) }),
  assistantMessage,
  objectOf({ ...common, role: z.literal('tool'), tool_call_id: someText, content: content(resultPart) }),
]);

export type ChatMessage = z.infer<typeof messageSchema>;
