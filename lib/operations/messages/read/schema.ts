/** The body of a Messages request. Fields that it does not list are kept: Anthropic adds new ones with every release. */
import * as z from 'zod/mini';
import { atLeastOne, extraFields, longList, modelId, nullish, nullishFlag } from '../../request-schema.ts';

const content = z.union([z.string(), longList(z.looseObject({ type: z.string() }))]);

export const messagesSchema = z.looseObject({
  model: modelId,
  max_tokens: atLeastOne,
  messages: longList(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content })).check(
    z.minLength(1),
  ),
  system: nullish(content),
  stream: nullishFlag,
  extra: nullish(z.strictObject({ ...extraFields, normalize: nullishFlag })),
});

export type MessagesBody = z.infer<typeof messagesSchema>;
