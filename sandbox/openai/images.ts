/** The image protocols of OpenAI and of xAI, with shapes in place of sizes, in the sandbox. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import {
  jsonAnswer,
  namedEvent,
  Refusal,
  type SandboxRequest,
  type SandboxResponse,
  streamAnswer,
} from '../exchange.ts';
import {
  type Area,
  areaOfShape,
  countImage,
  imageOf,
  isForbidden,
  isImageFormat,
  readArea,
} from '../images.ts';
import { checkKeys, isObject, numberOf, objectOf, textOf, wordSet, words } from '../json.ts';
import { countTokens } from '../script.ts';
import { checkExists } from './models.ts';
import { refuse, refuseMissing, refuseParameter, refuseUnknown, refuseValue } from './refuse.ts';

const known = wordSet(
  'model prompt n size quality background output_format output_compression moderation user',
  'stream partial_images complexity safety_identifier',
);

const values: Readonly<Record<string, readonly string[]>> = {
  quality: ['auto', 'low', 'medium', 'high', 'xhigh', 'max'],
  complexity: ['low', 'medium', 'high'],
  background: ['auto', 'transparent', 'opaque'],
  output_format: ['png', 'jpeg', 'webp'],
  moderation: ['auto', 'low'],
};

/** Source: ImageGenerateParams of `openai` 7.55. */
const newest = /^gpt-image-2\.5-/;

/** The first models generate these sizes only. */
const firstSizes = ['1024x1024', '1024x1536', '1536x1024', 'auto'];
const isFirst = (model: string) => /^gpt-image-1/.test(model);

export function answerImages({ body }: SandboxRequest): SandboxResponse {
  checkImages(body);
  const prompt = textOf(body.prompt);
  if (isForbidden(prompt)) refuseForbidden();
  const { size, area } = areaOf(textOf(body.size), textOf(body.model));
  const quality = given(body.quality, 'medium');
  const format = textOf(body.output_format);
  const output_format = isImageFormat(format) ? format : 'png';
  const background = body.background === 'transparent' ? 'transparent' : 'opaque';
  const data = Array.from({ length: numberOf(body.n) ?? 1 }, (_, index) => {
    return { b64_json: imageOf({ ...area, format: output_format, subject: `${prompt} ${index}` }) };
  });
  const partials = numberOf(body.partial_images) ?? 0;
  const tokens = data.length * countImage(area, quality) + partials * tokensOfPartial;
  const usage = countUse(countTokens(prompt), tokens);
  const about = { background, output_format, quality, size };
  if (body.stream !== true) return jsonAnswer({ created: now(), data, ...about, usage });
  const image = (subject: string) => imageOf({ ...area, format: output_format, subject });
  const shared = { created_at: now(), ...about };
  return streamAnswer([
    ...Array.from({ length: partials }, (_, partial_image_index) =>
      typed('image_generation.partial_image', {
        ...shared,
        b64_json: image(`${prompt} partial ${partial_image_index}`),
        partial_image_index,
      }),
    ),
    typed('image_generation.completed', { ...shared, b64_json: image(`${prompt} 0`), usage }),
  ]);
}

/** An estimate: its price list does not say it. */
const tokensOfPartial = 100;

const typed = (type: string, data: object) => namedEvent(type, { type, ...data });

const now = () => Math.floor(Date.now() / 1000);

function given(value: unknown, fallback: string): string {
  const text = textOf(value);
  return text === '' || text === 'auto' ? fallback : text;
}

function areaOf(asked: string, model: string): { size: string; area: Area } {
  const size = given(asked, '1024x1024');
  const area = readArea(size);
  if (!area || (isFirst(model) && !firstSizes.includes(size))) refuseValue(asked, 'size', firstSizes);
  const { width, height } = area;
  const fits = width % 16 === 0 && height % 16 === 0 && Math.max(width, height) <= 3840;
  if (!fits)
    refuse(`Invalid size '${size}'. Width and height must be multiples of 16.`, 'size', 'invalid_value');
  return { size, area };
}

function countUse(text: number, image: number): JsonObject {
  return {
    input_tokens: text,
    input_tokens_details: { text_tokens: text, image_tokens: 0 },
    output_tokens: image,
    output_tokens_details: { image_tokens: image, text_tokens: 0 },
    total_tokens: text + image,
  };
}

function checkImages(body: unknown): asserts body is JsonObject {
  if (!isObject(body)) refuse('We could not parse the JSON body of your request.');
  checkKeys(body, known, refuseUnknown);
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

function refuseForbidden(): never {
  const message = 'Your request was rejected by the safety system. safety_violations=[violence].';
  throw new Refusal(400, {
    error: { message, type: 'image_generation_user_error', param: null, code: 'moderation_blocked' },
  });
}

const refused = words('size quality style background output_format output_compression moderation');

const shapes: Readonly<Record<string, readonly [number, number]>> = {
  auto: [1024, 1024],
  '1:1': [1024, 1024],
  '4:3': [1280, 896],
  '3:2': [1296, 864],
  '16:9': [1408, 768],
  '2:1': [1408, 704],
  '20:9': [1280, 576],
  '19.5:9': [1248, 576],
};

export function answerXaiImages(request: SandboxRequest): SandboxResponse {
  const body = objectOf(request.body);
  for (const name of ['model', 'prompt']) if (textOf(body[name]) === '') refuseMissing(name);
  for (const name of refused) if (name in body) refuseParameter(name);
  const n = numberOf(body.n) ?? 1;
  if (n < 1 || n > 10) refuse('n must be between 1 and 10.', 'n');
  const shape = textOf(body.aspect_ratio) || 'auto';
  const area = areaOfShape(shapes, shape, body.resolution === '2k' ? 2 : 1);
  if (!area) refuseValue(shape, 'aspect_ratio', Object.keys(shapes));
  const prompt = textOf(body.prompt);
  // It does not say that it refuses.
  if (isForbidden(prompt)) return jsonAnswer({ data: [] });
  const data = Array.from({ length: n }, (_, index) => {
    if (body.response_format !== 'b64_json') return { url: `https://example.com/${index}.jpg` };
    const b64_json = imageOf({ ...area, format: 'jpeg', subject: `${prompt} ${index}` });
    return { b64_json, mime_type: 'image/jpeg' };
  });
  return jsonAnswer({ data, usage: { cost_in_usd_ticks: n * 200_000_000 } });
}
