/**
 * The items of a request's input, as callers may write them: OpenAI's forms, the short ones too, what the gateway answered
 * sent back unchanged, or in the form that SDKs return. Fields that are not listed are left out, and recorded.
 */
import * as z from 'zod/mini';
import { lazy } from '../../../async/lazy.ts';
import { objectOf } from '../../../core/formats/given-fields.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import { builtForms, chosenVariant, namedVariant, unchanged } from '../../chosen-variant.ts';
import { fileChecks, fileFields } from '../../file-schema.ts';
import {
  imageDetail,
  imageUrl,
  jsonObject,
  longList,
  nullish,
  nullishText,
  someText,
  toolLimit,
} from '../../request-schema.ts';
import { responseOf } from '../write/ids.ts';
import { toolSchema } from './tool-schema.ts';

/** The items of tools that only the Responses API has, and of what its models know beside tools. */
const protocolTypes = [
  'apply_patch_call',
  'apply_patch_call_output',
  'code_interpreter_call',
  'compaction',
  'compaction_trigger',
  'computer_call',
  'computer_call_output',
  'configuration_update',
  'file_search_call',
  'image_generation_call',
  'local_shell_call',
  'local_shell_call_output',
  'mcp_approval_request',
  'mcp_approval_response',
  'mcp_call',
  'mcp_list_tools',
  'program',
  'program_output',
  'shell_call',
  'shell_call_output',
  'tool_search_call',
] as const;

export const addingTypes = ['additional_tools', 'tool_search_output'] as const;

/** A field that is known, and served only where it says nothing. */
export const unserved = (problem = 'is not supported') => z.optional(z.null(problem));

const inputText = lazy(() => z.object({ type: z.literal('input_text'), text: z.string() }));

const inputImage = () =>
  z.object({
    type: z.literal('input_image'),
    file_id: unserved("is not supported: send the image as a data URL or a link in 'image_url'"),
    image_url: imageUrl,
    detail: imageDetail(),
  });

const inputFile = () =>
  z
    .object({ type: z.literal('input_file'), ...fileFields(), detail: nullish(z.literal('auto')) })
    .check(...fileChecks);

const contentParts = lazy(() =>
  longList(namedVariant({ input_text: inputText, input_image: inputImage, input_file: inputFile })),
);

const outputText = () =>
  objectOf({
    type: z.literal('output_text'),
    text: z.string(),
    annotations: () => nullish(z.array(z.unknown())),
    logprobs: () => nullish(z.array(z.unknown())),
    parsed: () => z.optional(z.unknown()),
  });

const refusal = () => z.object({ type: z.literal('refusal'), refusal: z.string() });

const base = {
  id: nullishText,
  status: () => nullish(z.enum(['in_progress', 'completed', 'incomplete'])),
};

const message = { ...base, type: () => nullish(z.literal('message')) };
const instruction = lazy(() =>
  z.union([z.string(), longList(namedVariant({ input_text: inputText })).check(z.minLength(1))]),
);

const messageSchema = () =>
  namedVariant(
    {
      user: () =>
        objectOf({
          ...message,
          role: z.literal('user'),
          content: z.union([z.string(), z.lazy(() => contentParts().check(z.minLength(1)))]),
        }),
      system: () => objectOf({ ...message, role: z.literal('system'), content: instruction() }),
      developer: () => objectOf({ ...message, role: z.literal('developer'), content: instruction() }),
      assistant: () =>
        objectOf({
          ...message,
          role: z.literal('assistant'),
          content: z.union([
            z.string(),
            longList(namedVariant({ output_text: outputText, refusal, input_text: inputText })),
          ]),
          phase: () => nullish(someText),
        }),
    },
    'role',
  );

/** Fields of calls from newer SDKs. */
const callExtras = {
  namespace: () => nullish(someText),
  caller: () => nullish(z.object({ type: z.enum(['direct', 'program']) })),
};

const call = { ...base, ...callExtras, call_id: someText };
const result = () => ({
  ...call,
  name: nullishText,
  output: z.union([z.string(), z.lazy(contentParts)]),
});

const forms = {
  message: messageSchema,
  function_call: () =>
    objectOf({
      ...call,
      type: z.literal('function_call'),
      name: someText,
      arguments: z.string(),
      parsed_arguments: () => z.optional(z.unknown()),
    }),
  function_call_output: () => objectOf({ ...result(), type: z.literal('function_call_output') }),
  custom_tool_call: () =>
    objectOf({
      ...call,
      type: z.literal('custom_tool_call'),
      name: someText,
      input: z.string(),
    }),
  custom_tool_call_output: () => objectOf({ ...result(), type: z.literal('custom_tool_call_output') }),
  reasoning: () =>
    objectOf({
      ...base,
      type: z.literal('reasoning'),
      summary: () => nullish(longList(z.object({ type: z.literal('summary_text'), text: z.string() }))),
      content: () => nullish(longList(z.object({ type: z.literal('reasoning_text'), text: z.string() }))),
      encrypted_content: nullishText,
    }),
  web_search_call: () =>
    objectOf({
      id: nullishText,
      type: z.literal('web_search_call'),
      status: () => nullish(z.enum(['in_progress', 'searching', 'completed', 'failed', 'incomplete'])),
      action: () => nullish(jsonObject),
    }),
  item_reference: () => objectOf({ type: () => nullish(z.literal('item_reference')), id: someText }),
};

/** Items that add tools to a conversation. They go to the Responses API as they are, so that unknown fields stay. */
const addingTools = lazy(
  (): z.ZodMiniType<AddingToolsBody> =>
    z.looseObject({
      type: z.enum(addingTypes),
      tools: unchanged(z.array(toolSchema()).check(z.maxLength(toolLimit)), z.array(jsonObject)),
    }),
);

/** Other items that only the Responses API has. Only the provider checks them. */
const protocolItem = lazy(
  (): z.ZodMiniType<ProtocolItemBody> => z.looseObject({ type: z.enum(protocolTypes) }),
);

/** Of a type that the gateway does not know. */
const answeredItem = lazy(() => z.custom<ProtocolItemBody>());

/** All of an item is kept: its type says only which item it is. */
interface ProtocolItemBody {
  readonly type: (typeof protocolTypes)[number];
  readonly id?: unknown;
}

interface AddingToolsBody {
  readonly type: (typeof addingTypes)[number];
  readonly id?: unknown;
  readonly tools: unknown;
}

const allForms = {
  ...forms,
  ...Object.fromEntries(addingTypes.map((type) => [type, addingTools])),
  ...Object.fromEntries(protocolTypes.map((type) => [type, protocolItem])),
};

type Form = ReturnType<
  (typeof forms)[keyof typeof forms] | typeof addingTools | typeof protocolItem | typeof answeredItem
>;

const known: ReadonlyMap<string, () => Form> = builtForms(allForms);

export const itemSchema = lazy(() =>
  chosenVariant(
    [...known.keys()],
    (item: JsonObject) => formOf(item)?.(),
    () =>
      [...Object.keys(forms), addingTypes[0], protocolTypes[0]].flatMap((type) => known.get(type)?.() ?? []),
  ),
);

function formOf(item: JsonObject): (() => Form) | undefined {
  if (item.type == null) {
    return known.get(item.role === undefined && item.id !== undefined ? 'item_reference' : 'message');
  }
  // What the gateway has answered comes back, also where its type is newer than this list.
  return known.get(item.type as string) ?? (isAnswered(item) ? answeredItem : undefined);
}

const isAnswered = ({ type, id }: JsonObject): boolean =>
  typeof type === 'string' && typeof id === 'string' && responseOf(id) !== undefined;

export type ItemBody = z.output<ReturnType<typeof itemSchema>>;
