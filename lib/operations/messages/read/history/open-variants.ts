/**
 * Parts of an open schema: what the gateway reads is checked, and anything else passes. Anthropic adds fields, blocks and tools with
 * every release; targets of its protocol get the original, so a field that is dropped here is dropped for others alone.
 */
import * as z from 'zod/mini';
import { lazy } from '../../../../async/lazy.ts';
import { isJsonObject } from '../../../../core/formats/json-object.ts';
import { builtForms, chosenVariant, withForms } from '../../../chosen-variant.ts';
import { jsonObject, nullish, nullishText } from '../../../request-schema.ts';

/** Anything of a type that the gateway does not know. */
const otherVariant = lazy(() => z.looseObject({ type: z.string() }));

/** An object whose form `type` names. One of an unknown type stays as it is, which the type of what is read leaves out. */
export function openVariants<Forms extends Readonly<Record<string, () => z.core.$ZodType>>>(forms: Forms) {
  const known = builtForms(forms);
  const other = otherVariant as unknown as () => ReturnType<Forms[keyof Forms]>;
  const formOf = (type: unknown) => known.get(type as string) ?? other;
  return chosenVariant(
    [],
    ({ type }) => formOf(type)(),
    () => [...known.values(), other].map((form) => form()),
  );
}

const keptAsItIs = z.transform((input: unknown, { issues }): z.output<typeof jsonObject> => {
  if (isJsonObject(input)) return input;
  issues.push({ code: 'invalid_type', expected: 'record', input });
  return z.NEVER;
});

/** An object without a copy of it: a long conversation has one for each call of a tool. */
export const keptObject = withForms(keptAsItIs, () => [jsonObject]);

const nothing = z.transform((_: unknown) => undefined);

/** A field that no other protocol has: checked, described, and then dropped. */
function anthropicOnly<Schema extends z.core.$ZodType>(schema: Schema) {
  return nullish(z.pipe(schema as z.core.$ZodType<unknown, unknown>, nothing));
}

/** The same without a check: what it holds is Anthropic's to check. */
export const anthropicOnlyAny = anthropicOnly(z.unknown());

/** A cache marker. Its lifetime is Anthropic's to check: `5m` or `1h`. */
export const cacheControl = lazy(() =>
  nullish(z.object({ type: z.literal('ephemeral'), ttl: nullishText, scope: anthropicOnlyAny })),
);

export type CacheMarker = z.infer<ReturnType<typeof cacheControl>>;
