/** The schema of a transcription: of a form, and of JSON with a URL. An optional field may be null, and then counts as absent. */
import * as z from 'zod/mini';
import { granularities } from '../../core/catalog/transcription-traits.ts';
import { strictObjectOf } from '../../core/formats/given-fields.ts';
import { transcriptionFormats } from '../../core/generation/transcription.ts';
import type { HeldForm } from '../../core/held-form.ts';
import { heldFiles } from '../held-files.ts';
import {
  between,
  extraFields,
  integerBetween,
  modelId,
  nullish,
  nullishFlag,
  someText,
  usageField,
} from '../request-schema.ts';
import { placeField } from '../routing/schema.ts';

const maxPrompt = 32_000;
const maxUrl = 8_192;
const maxTerms = 100;
const maxTerm = 256;
const maxSpeakers = 16;
const maxReference = 1024 * 1024;
const maxPauseMs = 60_000;

const list = (longest: number, most: number) => () =>
  nullish(z.array(someText.check(z.maxLength(longest))).check(z.maxLength(most)));
const url = () => nullish(someText.check(z.maxLength(maxUrl)));

const detection = () =>
  z.strictObject({
    type: z.literal('server_vad'),
    prefix_padding_ms: nullish(integerBetween(0, maxPauseMs)),
    silence_duration_ms: nullish(integerBetween(0, maxPauseMs)),
    threshold: nullish(between(0, 1)),
  });

export const transcriptionSchema = strictObjectOf({
  model: modelId,
  file: z.optional(heldFiles),
  /** In place of the file. */
  url,
  /** Mistral's name of the same. */
  file_url: url,
  response_format: () => nullish(z.enum(transcriptionFormats)),
  timestamp_granularities: () =>
    nullish(z.array(z.enum(granularities)).check(z.maxLength(granularities.length))),
  prompt: () => nullish(z.string().check(z.maxLength(maxPrompt))),
  temperature: () => nullish(between(0, 1)),
  language: () => nullish(someText.check(z.maxLength(maxTerm))),
  languages: list(maxTerm, maxTerms),
  keywords: list(maxTerm, maxTerms),
  include: () => nullish(z.array(z.literal('logprobs')).check(z.maxLength(1))),
  chunking_strategy: () => nullish(z.union([z.literal('auto'), detection()])),
  known_speaker_names: list(maxTerm, maxSpeakers),
  known_speaker_references: list(maxReference, maxSpeakers),
  stream: nullishFlag,
  ...placeField,
  ...usageField,
  extra: () => nullish(strictObjectOf(extraFields)),
});

export type TranscriptionBody = z.infer<typeof transcriptionSchema>;

export const transcriptionForm: HeldForm = {
  files: { file: 1 },
  values: {
    timestamp_granularities: 'list',
    temperature: 'number',
    languages: 'list',
    keywords: 'list',
    include: 'list',
    chunking_strategy: 'object',
    known_speaker_names: 'list',
    known_speaker_references: 'list',
    stream: 'flag',
    provider: 'object',
    usage: 'object',
    extra: 'object',
  },
  longTexts: { known_speaker_references: maxReference },
};
