/** The schema of a moderation request. Fields that are not listed are rejected. */
import * as z from 'zod/mini';
import { strictObjectOf } from '../../core/formats/given-fields.ts';
import { extraFields, imageUrl, modelId, nullish, someText } from '../request-schema.ts';
import { placeField } from '../routing/schema.ts';

const maxInputs = 128;

const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: someText }),
  z.strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: imageUrl }) }),
]);

const inputs = <Schema extends z.core.$ZodType>(one: Schema) =>
  z.array(one).check(z.minLength(1), z.maxLength(maxInputs));

export const moderationsSchema = strictObjectOf({
  model: () => nullish(modelId),
  input: z.union([someText, inputs(someText), inputs(part)]),
  ...placeField,
  extra: () => nullish(strictObjectOf(extraFields)),
});

export type ModerationsBody = z.infer<typeof moderationsSchema>;
