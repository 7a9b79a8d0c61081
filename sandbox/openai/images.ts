/** The image protocols of OpenAI and of xAI, with shapes in place of sizes, in the sandbox. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { type FormPart, readForm } from '../batches/multipart.ts';
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
  formatOf,
  imageOf,
  isForbidden,
  isImageFormat,
  readArea,
} from '../images.ts';
import { checkKeys, isObject, listOf, numberOf, objectOf, textOf, wordSet, words } from '../json.ts';
import { countTokens } from '../script.ts';
import { checkExists } from './models.ts';
import { refuse, refuseMissing, refuseParameter, refuseUnknown, refuseValue } from './refuse.ts';

const known = wordSet(
  'model prompt n size quality background output_format output_compression moderation user',
  'stream partial_images complexity safety_identifier',
);

/** What `moderation` is, edits do not have. */
const knownOfEdits = wordSet(
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

export function answerImages({ body }: SandboxRequest): SandboxResponse {
  checkImages(body, known);
  return answer(body, { kind: 'image_generation', inputs: 0 });
}

/** What an image that is sent counts. An estimate: it depends on its size and on the model. */
const tokensOfInput = 323;

/** Sources: openai 7.55.0, resources/images (fields, numbers and sizes) and internal/uploads (names in forms). */
export function answerEdits({ headers, bytes }: SandboxRequest): SandboxResponse {
  const form = readForm(textOf(headers['content-type']), bytes ?? Buffer.alloc(0));
  if (form === undefined) refuse('Could not parse multipart form.');
  const files = form.filter(({ filename }) => filename !== undefined);
  const body = Object.fromEntries(
    form.flatMap(({ name, filename, bytes: value }) =>
      filename === undefined ? [[name, fieldOf(name, value)]] : [],
    ),
  );
  checkImages(body, knownOfEdits);
  const images = files.filter(({ name }) => name === 'image' || name === 'image[]');
  if (images.length === 0) refuseMissing('image');
  if (images.length > 16) refuse('Too many images. Expected at most 16.', 'image', 'invalid_value');
  if (images.length > 1 && images.some(({ name }) => name === 'image'))
    refuse("Duplicate parameter: 'image'. You provided multiple values for this parameter.", 'image');
  for (const image of images) {
    if (!/^image\/(png|jpeg|webp)$/.test(formatOf(image.bytes)))
      refuse(
        'Invalid image file or mode for image 1, please check your image file.',
        'image',
        'invalid_image_file',
      );
  }
  const overlays = files.filter(({ name }) => name === 'mask' || name === 'markup');
  checkOverlays(overlays, images, textOf(body.model));
  return answer(body, { kind: 'image_edit', inputs: images.length + overlays.length });
}

const numbers = wordSet('n output_compression partial_images');

function fieldOf(name: string, bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  if (name === 'stream') return text === 'true';
  return numbers.has(name) ? Number(text) : text;
}

function checkOverlays(overlays: readonly FormPart[], [first]: readonly FormPart[], model: string): void {
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

interface Made {
  readonly kind: 'image_edit' | 'image_generation';
  /** Images that were sent. */
  readonly inputs: number;
}

function answer(body: JsonObject, { kind, inputs }: Made): SandboxResponse {
  const prompt = textOf(body.prompt);
  if (isForbidden(prompt)) refuseForbidden();
  const { size, area } = areaOf(textOf(body.size), textOf(body.model));
  const quality = given(body.quality, 'medium');
  const format = textOf(body.output_format);
  const output_format = isImageFormat(format) ? format : 'png';
  const background = body.background === 'transparent' ? 'transparent' : 'opaque';
  const image = (subject: string) => imageOf({ ...area, format: output_format, subject });
  const subject = inputs > 0 ? `${prompt} of ${inputs}` : prompt;
  const data = Array.from({ length: numberOf(body.n) ?? 1 }, (_, index) => ({
    b64_json: image(`${subject} ${index}`),
  }));
  const partials = numberOf(body.partial_images) ?? 0;
  const tokens = data.length * countImage(area, quality) + partials * tokensOfPartial;
  const usage = countUse(countTokens(prompt), inputs * tokensOfInput, tokens);
  const about = { background, output_format, quality, size };
  if (body.stream !== true) return jsonAnswer({ created: now(), data, ...about, usage });
  const shared = { created_at: now(), ...about };
  return streamAnswer([
    ...Array.from({ length: partials }, (_, partial_image_index) =>
      typed(`${kind}.partial_image`, {
        ...shared,
        b64_json: image(`${subject} partial ${partial_image_index}`),
        partial_image_index,
      }),
    ),
    typed(`${kind}.completed`, { ...shared, ...data[0], usage }),
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

function countUse(text: number, sent: number, image: number): JsonObject {
  return {
    input_tokens: text + sent,
    input_tokens_details: { text_tokens: text, image_tokens: sent },
    output_tokens: image,
    output_tokens_details: { image_tokens: image, text_tokens: 0 },
    total_tokens: text + sent + image,
  };
}

function checkImages(body: unknown, names: ReadonlySet<string>): asserts body is JsonObject {
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

/** What is sent is JSON. Source: docs.x.ai, REST reference of images/edits, and developers/model-capabilities/images/multi-image-editing. */
export function answerXaiEdits(request: SandboxRequest): SandboxResponse {
  const body = objectOf(request.body);
  if ('image' in body === 'images' in body)
    refuse("Exactly one of 'image' and 'images' is required.", 'image');
  const images = 'images' in body ? listOf(body.images) : [body.image];
  if (images.length > 3) refuse('At most 3 images are supported.', 'images');
  for (const image of images) {
    const [, data = ''] = /^data:image\/\w+;base64,(.+)$/.exec(textOf(objectOf(image).url)) ?? [];
    if (formatOf(Buffer.from(data, 'base64')) === '') refuse('Invalid image.', 'image');
  }
  return answerXai(body, images.length);
}

export const answerXaiImages = (request: SandboxRequest): SandboxResponse =>
  answerXai(objectOf(request.body), 0);

/** In what it calls ticks. Source: docs.x.ai, cost tracking; github.com/agentjido/llmdb/pull/106 (images that are sent). */
const ticks = { made: 200_000_000, sent: 20_000_000 };

function answerXai(body: JsonObject, inputs: number): SandboxResponse {
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
    const subject = inputs > 0 ? `${prompt} of ${inputs}` : prompt;
    const b64_json = imageOf({ ...area, format: 'jpeg', subject: `${subject} ${index}` });
    return { b64_json, mime_type: 'image/jpeg' };
  });
  return jsonAnswer({ data, usage: { cost_in_usd_ticks: n * ticks.made + inputs * ticks.sent } });
}
