/** The form of the answer, as callers may write it. */
import * as z from 'zod/mini';
import type { JsonObject } from '../../../core/generation/request.ts';
import { chosenVariant } from '../../chosen-variant.ts';
import { jsonSchemaFields } from '../../request-schema.ts';

const flatJsonSchema = z.strictObject({ type: z.literal('json_schema'), ...jsonSchemaFields });
const nestedJsonSchema = z.strictObject({
  type: z.literal('json_schema'),
  json_schema: z.strictObject(jsonSchemaFields),
});
const text = z.strictObject({ type: z.literal('text') });
const jsonObject = z.strictObject({ type: z.literal('json_object') });

export const textFormatSchema = chosenVariant(
  ['text', 'json_object', 'json_schema'],
  ({ type, json_schema: nested }: JsonObject) => {
    if (type === 'json_schema') return nested == null ? flatJsonSchema : nestedJsonSchema;
    if (type === 'json_object') return jsonObject;
    return type === 'text' ? text : undefined;
  },
  [text, jsonObject, flatJsonSchema, nestedJsonSchema],
);

export type TextFormatBody = z.output<typeof textFormatSchema>;
