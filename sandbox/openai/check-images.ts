/** What the image protocol of OpenAI refuses, in the sandbox. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { FormPart } from '../batches/multipart.ts';
import { Refusal } from '../exchange.ts';
import { type Area, formatOf, readArea } from '../images.ts';
import { checkKeys, isObject, textOf, wordSet } from '../json.ts';
import { checkExists } from './models.ts';
import { refuse, refuseMissing, refuseParameter, refuseUnknown, refuseValue } from './refuse.ts';

export const generationFields = wordSet(
  'model prompt n size quality background output_format output_compression moderation user',
  'stream partial_images complexity safety_identifier',
);

/** What `moderation` is, edits do not have. */
export const editFields = wordSet(
  'model prompt n size quality background output_format output_compression user',
  'stream partial_images complexity safety_identifier input_fidelity',
);

const values: Readonly<Record<string, readonly string[]>> = {
  quality: ['auto', 'low', 'medium', 'high', 'xhigh', 'max'],
  complexity: ['low', 'medium', 'high'],
  background: ['auto', 'transparent', 'opaque'],
  output_format: ['png', 'jpeg', 'webp'],
  moderation: ['auto', 'low'],
  input_fidelity: ['high', 'low'],
};

/** Source: ImageGenerateParams of `openai` 7.55. */
const newest = /^gpt-image-2\.5-/;

/** The first models generate these sizes only. */
const firstSizes = ['1024x1024', '1024x1536', '1536x1024', 'auto'];

const isFirst = (model: string) => /^gpt-image-1/.test(model);

export function checkOverlays(
  overlays: readonly FormPart[],
  [first]: readonly FormPart[],
  model: string,
): void {
  for (const { name, bytes } of overlays) {
    const size = (png: Buffer) => png.subarray(16, 24).toString('hex');
    if (formatOf(bytes) !== 'image/png')
      refuse(`Invalid ${name}: it must be a PNG.`, name, 'invalid_image_format');
    if (first && formatOf(first.bytes) === 'image/png' && size(bytes) !== size(first.bytes))
      refuse(
        `Invalid ${name} image format - ${name} size does not match image size.`,
        name,
        'invalid_mask_image_format',
      );
    if (name === 'markup' && !newest.test(model)) refuseParameter('markup');
  }
  if (overlays.length > 1) refuse("'markup' cannot be combined with 'mask'.", 'markup');
}

export function given(value: unknown, fallback: string): string {
  const text = textOf(value);
  return text === '' || text === 'auto' ? fallback : text;
}

export function areaOf(asked: string, model: string): { size: string; area: Area } {
  const size = given(asked, '1024x1024');
  const area = readArea(size);
  if (!area || (isFirst(model) && !firstSizes.includes(size))) refuseValue(asked, 'size', firstSizes);
  const { width, height } = area;
  const fits = width % 16 === 0 && height % 16 === 0 && Math.max(width, height) <= 3840;
  if (!fits)
    refuse(`Invalid size '${size}'. Width and height must be multiples of 16.`, 'size', 'invalid_value');
  return { size, area };
}

export function checkImages(body: unknown, names: ReadonlySet<string>): asserts body is JsonObject {
  if (!isObject(body)) refuse('We could not parse the JSON body of your request.');
  checkKeys(body, names, refuseUnknown);
  for (const name of ['model', 'prompt']) if (textOf(body[name]) === '') refuseMissing(name);
  checkExists(textOf(body.model));
  for (const [name, allowed] of Object.entries(values)) {
    if (name in body && !allowed.includes(textOf(body[name]))) refuseValue(body[name], name, allowed);
  }
  const isHigher = ['xhigh', 'max'].includes(textOf(body.quality));
  if (isHigher && !newest.test(textOf(body.model)))
    refuseValue(body.quality, 'quality', values.quality?.slice(0, 4) ?? []);
  const { n = 1, background, output_format: format = 'png' } = body;
  if (!Number.isInteger(n) || Number(n) < 1 || Number(n) > 10) refuse("Invalid 'n'.", 'n', 'invalid_value');
  checkStream(body);
  if (background === 'transparent' && format === 'jpeg') {
    refuse('Transparent background is not supported for JPEG output format.', 'background', 'invalid_value');
  }
  if ('output_compression' in body && body.output_compression !== 100 && format === 'png') {
    const message = 'Compression less than 100 is not supported for PNG output format';
    refuse(message, 'output_compression', 'invalid_png_output_compression');
  }
}

/** Sources: openai 7.57.0, resources/images (0 to 3); github.com/theopenco/llmgateway/issues/3963 (the message). */
function checkStream({ stream = false, partial_images: partials = 0, n = 1 }: JsonObject): void {
  if (typeof stream !== 'boolean') refuse("Invalid type for 'stream'.", 'stream', 'invalid_type');
  if (![0, 1, 2, 3].includes(Number(partials)))
    refuse("Invalid 'partial_images'.", 'partial_images', 'invalid_value');
  if (stream && Number(n) > 1) refuse('Streaming is only supported with n=1.');
}

export function refuseForbidden(): never {
  const message = 'Your request was rejected by the safety system. safety_violations=[violence].';
  throw new Refusal(400, {
    error: { message, type: 'image_generation_user_error', param: null, code: 'moderation_blocked' },
  });
}
