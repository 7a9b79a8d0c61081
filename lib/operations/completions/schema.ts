/** The body of a text completion, the form before chat: every field that is served with its limits, and no other. */
import * as z from 'zod/mini';
import { strictObjectOf } from '../../core/formats/given-fields.ts';
import { maxChoices } from '../../core/generation/events.ts';
import { debugCategories } from '../answer-facts.ts';
import {
  atLeastOne,
  between,
  fallbackModels,
  guardrailsField,
  integerBetween,
  modelId,
  nullish,
  nullishFlag,
  nullishText,
  someText,
  stopSequences,
  streamFields,
  usageField,
  words,
} from '../request-schema.ts';

const maxLogprobs = 5;

const oneText = 'must be one text: send a request for each prompt; token ids are not supported';

/** Some clients send their one prompt in a list. */
const promptSchema = z.union([someText, z.array(someText).check(z.minLength(1), z.maxLength(1))], oneText);

const extraSchema = () =>
  strictObjectOf({
    fallbacks: fallbackModels,
    debug: () => nullish(words(z.enum(debugCategories))),
    dry_run: nullishFlag,
    normalize: nullishFlag,
    ...streamFields,
    ...guardrailsField,
  });

const penalty = () => nullish(between(-2, 2));

export const completionsSchema = strictObjectOf({
  model: modelId,
  prompt: promptSchema,
  suffix: nullishText,
  max_tokens: atLeastOne,
  temperature: () => nullish(between(0, 2)),
  top_p: () => nullish(between(0, 1)),
  n: () => nullish(integerBetween(1, maxChoices)),
  best_of: () => nullish(integerBetween(1, maxChoices)),
  echo: nullishFlag,
  stream: nullishFlag,
  stream_options: () =>
    nullish(z.strictObject({ include_usage: nullishFlag, include_obfuscation: nullishFlag })),
  logprobs: () => nullish(integerBetween(0, maxLogprobs)),
  stop: () => nullish(z.union([z.string(), stopSequences()])),
  frequency_penalty: penalty,
  presence_penalty: penalty,
  logit_bias: () => nullish(z.record(z.string(), between(-100, 100))),
  seed: () => nullish(z.int()),
  user: nullishText,
  ...usageField,
  extra: () => nullish(extraSchema()),
});

export type CompletionsBody = z.infer<typeof completionsSchema>;
