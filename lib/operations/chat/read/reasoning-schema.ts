/** How much the model reasons, in the forms that OpenRouter and Anthropic have beside `reasoning_effort`. */
import * as z from 'zod/mini';
import { reasoningEfforts } from '../../../core/generation/parameters.ts';
import { nullish, nullishFlag, tokenCount } from '../../request-schema.ts';

const effort = nullish(z.enum(reasoningEfforts));

export const reasoningFields = {
  reasoning_effort: effort,
  reasoning: nullish(
    z.strictObject({
      effort,
      max_tokens: tokenCount,
      exclude: nullishFlag,
      enabled: nullishFlag,
      summary: nullish(z.enum(['auto', 'concise', 'detailed'])),
    }),
  ),
  thinking: nullish(
    z.strictObject({
      type: z.enum(['enabled', 'disabled', 'adaptive']),
      budget_tokens: tokenCount,
      display: nullish(z.enum(['summarized', 'omitted'])),
    }),
  ),
};

const schema = z.object(reasoningFields);

export type ReasoningBody = z.infer<typeof schema>;
