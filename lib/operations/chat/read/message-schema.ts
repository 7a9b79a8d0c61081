/**
 * The messages of a chat completion request. Fields that are not listed are left out, and recorded: clients add some of their own to
 * what they send back.
 */
import * as z from 'zod/mini';
import { namedVariant } from '../../chosen-variant.ts';
import { givenFields } from '../../given-fields.ts';
import { longList, nullish, nullishText, someText } from '../../request-schema.ts';
import { cacheControl, resultPart, textPart, userPart } from './part-schema.ts';

const refusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() });

const parts = <Part extends z.core.$ZodType>(part: Part) => longList(part).check(z.minLength(1));

const textContent = z.union([z.string(), parts(textPart)]);
const resultContent = z.union([z.string(), parts(resultPart)]);
const userContent = z.union([z.string(), parts(userPart)]);
const assistantContent = z.union([z.string(), parts(z.discriminatedUnion('type', [textPart, refusalPart]))]);

/** Of who says something, in characters. */
const maxSpeakerName = 256;

const common = {
  name: nullish(z.string().check(z.minLength(1), z.maxLength(maxSpeakerName))),
  cache_control: cacheControl,
};

/** A thought signature of Gemini, as in Google's own OpenAI-compatible API. */
const extraContent = nullish(z.object({ google: nullish(z.object({ thought_signature: nullishText })) }));

const callFields = {
  id: someText,
  // Streamed calls have it, and some callers send them back unchanged.
  index: nullish(z.int()),
  extra_content: extraContent,
  // The same signature, where LiteLLM keeps it.
  provider_specific_fields: nullish(z.object({ thought_signature: nullishText })),
  cache_control: cacheControl,
};

const toolCall = namedVariant({
  function: z.object({
    type: z.literal('function'),
    function: z.object({
      name: someText,
      arguments: z.string(),
      parsed_arguments: z.optional(z.unknown()),
    }),
    ...callFields,
  }),
  custom: z.object({
    type: z.literal('custom'),
    custom: z.object({ name: someText, input: z.string() }),
    ...callFields,
  }),
});

const detailBase = { format: nullishText, index: nullish(z.int()), id: nullishText };

const reasoningDetail = z.discriminatedUnion('type', [
  z.object({
    ...detailBase,
    type: z.literal('reasoning.text'),
    text: z.string(),
    signature: nullishText,
  }),
  z.object({ ...detailBase, type: z.literal('reasoning.summary'), summary: z.string() }),
  z.object({ ...detailBase, type: z.literal('reasoning.encrypted'), data: z.string() }),
]);

const reasoningDetails = nullish(longList(reasoningDetail));

const useToolCalls = "is not supported: use 'tool_calls' instead";

/**
 * An assistant message may be one that the gateway answered with, sent back unchanged, or as the official SDK returns it
 * to its users: with what it has parsed.
 */
const assistantMessage = givenFields(
  z.object({
    ...common,
    role: z.literal('assistant'),
    content: nullish(assistantContent),
    refusal: nullishText,
    tool_calls: nullish(longList(toolCall)),
    reasoning_content: nullishText,
    // Another name of it, at OpenRouter, Groq and vLLM.
    reasoning: nullishText,
    reasoning_details: reasoningDetails,
    // Some clients send back here what an answer had beside OpenAI's own fields.
    extra_content: extraContent,
    provider_specific_fields: nullish(
      z.object({ thought_signature: nullishText, reasoning_details: reasoningDetails }),
    ),
    parsed: z.optional(z.unknown()),
    annotations: nullish(z.array(z.unknown())),
    audio: z.optional(z.null()),
    function_call: z.optional(z.null(useToolCalls)),
  }),
);

export const messageSchema = z.discriminatedUnion('role', [
  givenFields(z.object({ ...common, role: z.literal('system'), content: textContent })),
  givenFields(z.object({ ...common, role: z.literal('developer'), content: textContent })),
  givenFields(z.object({ ...common, role: z.literal('user'), content: userContent })),
  assistantMessage,
  z.object({ ...common, role: z.literal('tool'), tool_call_id: someText, content: resultContent }),
]);

export type ChatMessage = z.infer<typeof messageSchema>;
