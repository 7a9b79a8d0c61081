/** The messages of a chat completion request. */
import * as z from 'zod/mini';
import { formNamed } from '../chosen-form.ts';
import { imageDetail, imageUrl, nullish, nullishText, someText } from '../request-schema.ts';

/** A cache marker: on a message, on one of its parts, or on a tool. */
export const cacheControl = z.optional(
  z.strictObject({
    type: z.literal('ephemeral'),
    ttl: z.optional(z.string().check(z.regex(/^\d{1,9}(\.\d+)?[smh]$/, "must be a duration such as '300s'"))),
  }),
);

const textPart = z.strictObject({ type: z.literal('text'), text: z.string(), cache_control: cacheControl });

const imagePart = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({
    url: imageUrl,
    detail: z.optional(imageDetail),
  }),
  cache_control: cacheControl,
});

const refusalPart = z.strictObject({ type: z.literal('refusal'), refusal: z.string() });

const parts = <Part extends z.core.$ZodType>(part: Part) => z.array(part).check(z.minLength(1));

const textContent = z.union([z.string(), parts(textPart)]);
const mixedContent = z.union([z.string(), parts(z.discriminatedUnion('type', [textPart, imagePart]))]);
const assistantContent = z.union([z.string(), parts(z.discriminatedUnion('type', [textPart, refusalPart]))]);

const common = {
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(256))),
  cache_control: cacheControl,
};

const callFields = {
  id: someText,
  // Streamed calls have it, and some callers send them back unchanged.
  index: z.optional(z.int()),
  // A thought signature of Gemini, as in Google's own OpenAI-compatible API.
  extra_content: nullish(
    z.looseObject({ google: nullish(z.looseObject({ thought_signature: nullishText })) }),
  ),
};

const toolCall = formNamed({
  function: z.strictObject({
    type: z.literal('function'),
    function: z.strictObject({
      name: someText,
      arguments: z.string(),
      parsed_arguments: z.optional(z.unknown()),
    }),
    ...callFields,
  }),
  custom: z.strictObject({
    type: z.literal('custom'),
    custom: z.strictObject({ name: someText, input: z.string() }),
    ...callFields,
  }),
});

const detailBase = {
  format: nullishText,
  index: nullish(z.int()),
  id: nullishText,
};

const reasoningDetail = z.discriminatedUnion('type', [
  z.strictObject({
    ...detailBase,
    type: z.literal('reasoning.text'),
    text: z.string(),
    signature: nullishText,
  }),
  z.strictObject({ ...detailBase, type: z.literal('reasoning.summary'), summary: z.string() }),
  z.strictObject({ ...detailBase, type: z.literal('reasoning.encrypted'), data: z.string() }),
]);

const useToolCalls = "is not supported: use 'tool_calls' instead";

/**
 * An assistant message may be one that the gateway answered with, sent back unchanged, or as the official SDK returns it
 * to its users: with what it has parsed.
 */
const assistantMessage = z.strictObject({
  ...common,
  role: z.literal('assistant'),
  content: nullish(assistantContent),
  refusal: nullishText,
  tool_calls: nullish(z.array(toolCall)),
  reasoning_content: nullishText,
  reasoning_details: nullish(z.array(reasoningDetail)),
  parsed: z.optional(z.unknown()),
  annotations: nullish(z.array(z.unknown())),
  audio: z.optional(z.null()),
  function_call: z.optional(z.null(useToolCalls)),
});

export const messageSchema = z.discriminatedUnion('role', [
  z.strictObject({ ...common, role: z.literal('system'), content: textContent }),
  z.strictObject({ ...common, role: z.literal('developer'), content: textContent }),
  z.strictObject({ ...common, role: z.literal('user'), content: mixedContent }),
  assistantMessage,
  z.strictObject({
    ...common,
    role: z.literal('tool'),
    tool_call_id: someText,
    content: mixedContent,
  }),
]);

export type ChatMessage = z.infer<typeof messageSchema>;
