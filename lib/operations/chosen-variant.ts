/**
 * A value of one of several forms. The form is determined first and only its schema validates the value, so that errors
 * are about that form and no other.
 */
import * as z from 'zod/mini';
import { lazy } from '../async/lazy.ts';
import { isJsonObject } from '../core/formats/json-object.ts';
import { parseSchema } from '../core/formats/parse-schema.ts';
import type { JsonObject } from '../core/generation/request.ts';

/**
 * `choose` returns undefined for an unknown value of `field`; `taken` lists the known ones. `forms` are all that `choose` may
 * return: the API reference shows them.
 */
export function chosenVariant<Schema extends z.core.$ZodType>(
  taken: readonly string[],
  choose: (value: JsonObject) => Schema | undefined,
  forms: () => readonly Schema[],
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
    const result = parseSchema(chosen, input);
    if (result.success) return result.data;
    issues.push(...result.error.issues.map((issue) => ({ ...issue, input: undefined })));
    return z.NEVER;
  });
  return withForms(schema, forms);
}

/** The form is named by a field. */
export function namedVariant<Forms extends Readonly<Record<string, () => z.core.$ZodType>>>(
  forms: Forms,
  field = 'type',
) {
  const known = builtForms(forms);
  return chosenVariant(
    [...known.keys()],
    (value) => known.get(value[field] as string)?.(),
    () => [...known.values()].map((form) => form()),
    field,
  );
}

/** Each is built when it is first chosen. */
export const builtForms = <Forms extends Readonly<Record<string, () => z.core.$ZodType>>>(
  forms: Forms,
): ReadonlyMap<string, () => ReturnType<Forms[keyof Forms]>> =>
  new Map(
    Object.entries(forms).map(([name, form]) => [name, lazy(form as () => ReturnType<Forms[keyof Forms]>)]),
  );

/** Checks a value, and leaves it as it is. `shown`: its form in the API reference. */
export function unchanged<Schema extends z.core.$ZodType>(schema: Schema, shown: z.core.$ZodType) {
  const checked = z.transform((input: unknown, { issues }): unknown => {
    const result = parseSchema(schema, input);
    if (result.success) return input;
    issues.push(...result.error.issues.map((issue) => ({ ...issue, input: undefined })));
    return z.NEVER;
  });
  return withForms(checked, () => [shown]);
}

/** The API reference shows the forms of a schema. */
export const withForms = <Schema extends object, Form extends z.core.$ZodType>(
  schema: Schema,
  forms: () => readonly Form[],
): Schema & { readonly forms: readonly Form[] } =>
  Object.defineProperty(schema, 'forms', { get: forms }) as Schema & { readonly forms: readonly Form[] };
