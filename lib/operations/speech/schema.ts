/** The schema of a speech request. Fields that are not listed are rejected. An optional field may be null, and then counts as absent. */
import * as z from 'zod/mini';
import { speechFormats } from '../../core/catalog/model.ts';
import { strictObjectOf } from '../../core/formats/given-fields.ts';
import { extraFields, modelId, nullish, someText, usageField } from '../request-schema.ts';
import { placeField } from '../routing/schema.ts';

/** In characters (code points): the most that any model takes. */
const maxInput = 40_000;
const maxInstructions = 4_096;
const maxVoice = 256;

const atMost = (longest: number) =>
  z.refine<string>(
    (text) => text.length <= longest || [...text].length <= longest,
    `must have at most ${longest} characters`,
  );

const voiceName = someText.check(z.maxLength(maxVoice));

export const speechSchema = strictObjectOf({
  model: modelId,
  input: someText.check(atMost(maxInput)),
  voice: z.union([voiceName, z.strictObject({ id: voiceName })]),
  instructions: () => nullish(z.string().check(atMost(maxInstructions))),
  response_format: () => nullish(z.enum(speechFormats)),
  speed: () => nullish(z.number().check(z.gte(0.25), z.lte(4))),
  stream_format: () => nullish(z.enum(['audio', 'sse'])),
  ...placeField,
  ...usageField,
  extra: () => nullish(strictObjectOf(extraFields)),
});

export type SpeechBody = z.infer<typeof speechSchema>;
