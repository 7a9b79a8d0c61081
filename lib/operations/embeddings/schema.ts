/** The schema of an embeddings request. Fields that are not listed are rejected. */
import * as z from 'zod/mini';
import { atLeastOne, extraFields, modelId } from '../request-schema.ts';

const textOfList = z.string({
  error: ({ input }) =>
    typeof input === 'number' || Array.isArray(input)
      ? 'must be a string: token ids are not supported'
      : undefined,
});

export const embeddingsSchema = z.strictObject({
  model: modelId,
  input: z.union([z.string(), z.array(textOfList)]),
  encoding_format: z.optional(z.enum(['float', 'base64'])),
  dimensions: z.optional(atLeastOne),
  user: z.optional(z.string()),
  extra: z.optional(
    z.strictObject({ ...extraFields, input_type: z.optional(z.enum(['query', 'document'])) }),
  ),
});

export type EmbeddingsBody = z.infer<typeof embeddingsSchema>;
