/**
 * The schema of an image request. Fields that are not listed are rejected.
 *
 * An optional field may be null, and then counts as absent.
 */
import * as z from 'zod/mini';
import { strictObjectOf } from '../../core/formats/given-fields.ts';
import { reasoningEfforts } from '../../core/generation/parameters.ts';
import { heldFiles } from '../held-files.ts';
import {
  extraFields,
  integerBetween,
  modelId,
  nullish,
  nullishFlag,
  nullishText,
  platformFields,
  someText,
  usageField,
} from '../request-schema.ts';
import { placeField } from '../routing/schema.ts';

const maxImages = 10;

/** In characters (code points). */
const maxPromptLength = 32_000;

const fits = (prompt: string) => prompt.length <= maxPromptLength || [...prompt].length <= maxPromptLength;

/** Of images that are generated, and of those that are edited. */
const imageFields = {
  model: modelId,
  prompt: someText.check(z.refine(fits, `must have at most ${maxPromptLength} characters`)),
  n: () => nullish(integerBetween(1, maxImages)),
  size: () =>
    nullish(
      z
        .string()
        .check(
          z.regex(
            /^(auto|[1-9]\d{1,4}x[1-9]\d{1,4})$/,
            "must be 'auto' or a width and height such as '1024x1024'",
          ),
        ),
    ),
  quality: () => nullish(z.enum(['auto', 'low', 'medium', 'high', 'xhigh', 'max'])),
  background: () => nullish(z.enum(['auto', 'transparent', 'opaque'])),
  output_compression: () => nullish(integerBetween(0, 100)),
  complexity: () => nullish(z.enum(['low', 'medium', 'high'])),
  frame_count: () => nullish(integerBetween(2, 16)),
  frame_duration_ms: () => nullish(integerBetween(1, 655_350)),
  user: nullishText,
  safety_identifier: platformFields.safety_identifier,
  stream: nullishFlag,
  partial_images: () => nullish(integerBetween(0, 3)),
  response_format: () => nullish(z.enum(['url', 'b64_json'])),
  ...placeField,
  ...usageField,
  extra: () => nullish(strictObjectOf(extraFields)),
};

export const imagesSchema = strictObjectOf({
  ...imageFields,
  output_format: () => nullish(z.enum(['png', 'jpeg', 'webp', 'gif', 'svg'])),
  moderation: () => nullish(z.enum(['auto', 'low'])),
  svg: () =>
    nullish(
      z.strictObject({
        model: someText,
        reasoning: nullish(z.strictObject({ effort: nullish(z.enum(reasoningEfforts)) })),
      }),
    ),
  style: () => nullish(z.enum(['vivid', 'natural'])),
});

/** Images that are sent. */
export const maxInputImages = 16;

const link = () => z.strictObject({ image_url: someText });
const overlay = () =>
  nullish(z.union([heldFiles, link()], 'must be a file of a form, or an object with an image_url'));

/** With files in a form, and with URLs in JSON. */
export const editsSchema = strictObjectOf({
  ...imageFields,
  output_format: () => nullish(z.enum(['png', 'jpeg', 'webp', 'gif'])),
  input_fidelity: () => nullish(z.enum(['high', 'low'])),
  image: () => nullish(heldFiles),
  images: () => nullish(z.array(link()).check(z.minLength(1), z.maxLength(maxInputImages))),
  mask: overlay,
  markup: overlay,
});

export type ImagesBody = z.infer<typeof imagesSchema>;
export type EditsBody = z.infer<typeof editsSchema>;
