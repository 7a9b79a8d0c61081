/** The schema of an embeddings request. Fields that are not listed are rejected. */
import * as z from 'zod/mini';
import { strictObjectOf } from '../../core/formats/given-fields.ts';
import { atLeastOne, cacheField, extraFields, modelId, nullish, usageField } from '../request-schema.ts';
import { placeField } from '../routing/schema.ts';

const textOfList = z.string({
  error: ({ input }) =>
    typeof input === 'number' || Array.isArray(input)
      ? 'must be a string: token ids are not supported'
      : undefined,
});

export const embeddingsSchema = strictObjectOf({
  model: modelId,
  input: z.union([z.string(), z.array(textOfList)]),
  encoding_format: () => nullish(z.enum(['float', 'base64'])),
  dimensions: atLeastOne,
  user: () => nullish(z.string()),
  ...placeField,
  ...usageField,
  extra: () =>
    nullish(
      strictObjectOf({ ...extraFields, ...cacheField, input_type: nullish(z.enum(['query', 'document'])) }),
    ),
});

export type EmbeddingsBody = z.infer<typeof embeddingsSchema>;
