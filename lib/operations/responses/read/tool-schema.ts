/** The tools of a request, how one of them is chosen, and the form of the answer, as callers may write them. */
import * as z from 'zod/mini';
import type { JsonObject } from '../../../core/generation/request.ts';
import { chosenForm } from '../../chosen-form.ts';
import {
  functionFields,
  jsonSchemaFields,
  locationFields,
  nullish,
  someText,
  toolName,
} from '../../request-schema.ts';

/** OpenAI's own form is flat; the contract's is nested, as in chat. */
const flatFunction = z.object({ type: z.literal('function'), ...functionFields });
const nestedFunction = z.object({
  type: z.literal('function'),
  function: z.object(functionFields),
});

const webSearchTypes = /^web_search(?:_preview)?(?:_\d{4}_\d{2}_\d{2})?$/;

const webSearchType = z.string().check(z.regex(webSearchTypes));

/** Whether a tool, or the choice of one, is the provider's own search of the web. */
const isWebSearchType = (type: unknown) => typeof type === 'string' && webSearchTypes.test(type);

const userLocation = z.object({
  type: nullish(z.literal('approximate')),
  ...locationFields,
});

const webSearch = z.object({
  type: webSearchType,
  search_context_size: nullish(z.enum(['low', 'medium', 'high'])),
  user_location: nullish(userLocation),
  filters: nullish(
    z.object({ allowed_domains: nullish(z.array(someText).check(z.minLength(1), z.maxLength(100))) }),
  ),
  external_web_access: nullish(z.literal(true, 'is not supported: searches always use the live web')),
});

const toolTypes = ['function', 'web_search', 'web_search_preview'];

export const toolSchema = chosenForm(
  toolTypes,
  ({ type, function: nested }: JsonObject) => {
    if (type === 'function') return nested == null ? flatFunction : nestedFunction;
    return isWebSearchType(type) ? webSearch : undefined;
  },
  [flatFunction, nestedFunction, webSearch],
);

const flatName = z.strictObject({ type: z.literal('function'), name: toolName });
const nestedName = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({ name: toolName }),
});
const webSearchName = z.strictObject({ type: webSearchType });

const nameForms = [flatName, nestedName, webSearchName];

const nameOf = ({ type, function: nested }: JsonObject) => {
  if (type === 'function') return nested == null ? flatName : nestedName;
  return isWebSearchType(type) ? webSearchName : undefined;
};

const allowedTools = z.strictObject({
  type: z.literal('allowed_tools'),
  mode: z.enum(['auto', 'required']),
  tools: z.array(chosenForm(toolTypes, nameOf, nameForms)).check(z.minLength(1)),
});

export const toolChoiceSchema = z.union([
  z.enum(['none', 'auto', 'required']),
  chosenForm(
    [...toolTypes, 'allowed_tools'],
    (choice: JsonObject) => (choice.type === 'allowed_tools' ? allowedTools : nameOf(choice)),
    [...nameForms, allowedTools],
  ),
]);

const flatJsonSchema = z.strictObject({ type: z.literal('json_schema'), ...jsonSchemaFields });
const nestedJsonSchema = z.strictObject({
  type: z.literal('json_schema'),
  json_schema: z.strictObject(jsonSchemaFields),
});
const text = z.strictObject({ type: z.literal('text') });
const jsonObject = z.strictObject({ type: z.literal('json_object') });

export const textFormatSchema = chosenForm(
  ['text', 'json_object', 'json_schema'],
  ({ type, json_schema: nested }: JsonObject) => {
    if (type === 'json_schema') return nested == null ? flatJsonSchema : nestedJsonSchema;
    if (type === 'json_object') return jsonObject;
    return type === 'text' ? text : undefined;
  },
  [text, jsonObject, flatJsonSchema, nestedJsonSchema],
);

export type ToolBody = z.output<typeof toolSchema>;
export type ToolChoiceBody = z.output<typeof toolChoiceSchema>;
export type TextFormatBody = z.output<typeof textFormatSchema>;
