/**
 * A value that has one of several forms, told by a look at it: only the schema of its own form judges it, so that what is
 * wrong is told as of that form and no other.
 */
import * as z from 'zod/mini';
import type { JsonObject } from '../core/generation/request.ts';
import { isJsonObject } from '../core/json-object.ts';

/**
 * `choose` gives undefined where `field` names no form that is taken; `taken` are those that it may name. `forms` are all that
 * `choose` may give: the API reference shows them.
 */
export function chosenForm<Schema extends z.core.$ZodType>(
  taken: readonly string[],
  choose: (value: JsonObject) => Schema | undefined,
  forms: readonly Schema[],
  field = 'type',
) {
  const schema = z.transform((input: unknown, { issues }): z.output<Schema> => {
    if (!isJsonObject(input)) {
      issues.push({ code: 'invalid_type', expected: 'object', input });
      return z.NEVER;
    }
    const chosen = choose(input);
    if (!chosen) {
      issues.push({ code: 'invalid_value', values: [...taken], path: [field], input });
      return z.NEVER;
    }
    const result = z.safeParse(chosen, input);
    if (result.success) return result.data;
    issues.push(...result.error.issues.map((issue) => ({ ...issue, input: undefined })));
    return z.NEVER;
  });
  return Object.assign(schema, { forms });
}

/** The form that a field names outright. */
export function formNamed<Schema extends z.core.$ZodType>(
  forms: Readonly<Record<string, Schema>>,
  field = 'type',
) {
  const known = new Map<unknown, Schema>(Object.entries(forms));
  return chosenForm(Object.keys(forms), (value) => known.get(value[field]), Object.values(forms), field);
}
