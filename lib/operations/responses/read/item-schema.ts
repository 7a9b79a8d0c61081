/**
 * The items of a request's input, as callers may write them: OpenAI's forms, the short ones too, what the gateway answered
 * sent back unchanged, or in the form that SDKs return. Fields that are not listed are left out, and recorded.
 */
import * as z from 'zod/mini';
import type { JsonObject } from '../../../core/generation/request.ts';
import { chosenForm, formNamed } from '../../chosen-form.ts';
import { fileChecks, fileFields } from '../../file-schema.ts';
import { imageDetail, imageUrl, jsonObject, nullish, someText } from '../../request-schema.ts';

/** A field that is known, and served only where it says nothing. */
export const unserved = (problem = 'is not supported') => z.optional(z.null(problem));

const cacheBreakpoint = { prompt_cache_breakpoint: unserved() };

const inputText = z.object({ type: z.literal('input_text'), text: z.string(), ...cacheBreakpoint });

const inputImage = z.object({
  type: z.literal('input_image'),
  file_id: unserved("is not supported: send the image as a data URL or a link in 'image_url'"),
  image_url: imageUrl,
  detail: nullish(imageDetail),
  ...cacheBreakpoint,
});

const inputFile = z
  .object({
    type: z.literal('input_file'),
    ...fileFields,
    detail: nullish(z.literal('auto')),
    ...cacheBreakpoint,
  })
  .check(...fileChecks);

const contentParts = z.array(
  formNamed({ input_text: inputText, input_image: inputImage, input_file: inputFile }),
);

const outputText = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: nullish(z.array(z.unknown())),
  logprobs: nullish(z.array(z.unknown())),
  parsed: z.optional(z.unknown()),
});

const refusal = z.object({ type: z.literal('refusal'), refusal: z.string() });

const base = { id: nullish(z.string()), status: nullish(z.enum(['in_progress', 'completed', 'incomplete'])) };

const message = { ...base, type: nullish(z.literal('message')) };
const instruction = z.union([
  z.string(),
  z.array(formNamed({ input_text: inputText })).check(z.minLength(1)),
]);

const messageSchema = formNamed(
  {
    user: z.object({
      ...message,
      role: z.literal('user'),
      content: z.union([z.string(), contentParts.check(z.minLength(1))]),
    }),
    system: z.object({ ...message, role: z.literal('system'), content: instruction }),
    developer: z.object({ ...message, role: z.literal('developer'), content: instruction }),
    assistant: z.object({
      ...message,
      role: z.literal('assistant'),
      content: z.union([
        z.string(),
        z.array(formNamed({ output_text: outputText, refusal, input_text: inputText })),
      ]),
      phase: nullish(someText),
    }),
  },
  'role',
);

/** Fields of calls from newer SDKs; none of them changes the call. */
const callExtras = {
  namespace: nullish(z.string()),
  caller: nullish(z.object({ type: z.literal('direct') })),
};

const forms = {
  message: messageSchema,
  function_call: z.object({
    ...base,
    ...callExtras,
    type: z.literal('function_call'),
    call_id: someText,
    name: someText,
    arguments: z.string(),
    parsed_arguments: z.optional(z.unknown()),
  }),
  function_call_output: z.object({
    ...base,
    ...callExtras,
    type: z.literal('function_call_output'),
    call_id: someText,
    name: nullish(z.string()),
    output: z.union([z.string(), contentParts]),
  }),
  reasoning: z.object({
    ...base,
    type: z.literal('reasoning'),
    summary: nullish(z.array(z.object({ type: z.literal('summary_text'), text: z.string() }))),
    content: nullish(z.array(z.object({ type: z.literal('reasoning_text'), text: z.string() }))),
    encrypted_content: nullish(z.string()),
  }),
  web_search_call: z.object({
    id: nullish(z.string()),
    type: z.literal('web_search_call'),
    status: nullish(z.enum(['in_progress', 'searching', 'completed', 'failed', 'incomplete'])),
    action: nullish(jsonObject),
  }),
  item_reference: z.object({ type: nullish(z.literal('item_reference')), id: someText }),
};

const known = new Map<unknown, (typeof forms)[keyof typeof forms]>(Object.entries(forms));

export const itemSchema = chosenForm(
  Object.keys(forms),
  (item: JsonObject) =>
    known.get(item.type ?? (item.role === undefined && item.id !== undefined ? 'item_reference' : 'message')),
  Object.values(forms),
);

export type ItemBody = z.output<typeof itemSchema>;
