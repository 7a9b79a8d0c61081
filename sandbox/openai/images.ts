/** The image protocol of OpenAI, in the sandbox. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { readForm } from '../batches/multipart.ts';
import {
  jsonAnswer,
  namedEvent,
  type SandboxRequest,
  type SandboxResponse,
  streamAnswer,
} from '../exchange.ts';
import { countImage, formatOf, imageOf, isForbidden, isImageFormat } from '../images.ts';
import { numberOf, textOf, wordSet } from '../json.ts';
import { countTokens } from '../script.ts';
import {
  areaOf,
  checkImages,
  checkOverlays,
  editFields,
  generationFields,
  given,
  refuseForbidden,
} from './check-images.ts';
import { refuse, refuseMissing } from './refuse.ts';

export function answerImages({ body }: SandboxRequest): SandboxResponse {
  checkImages(body, generationFields);
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
  checkImages(body, editFields);
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

function countUse(text: number, sent: number, image: number): JsonObject {
  return {
    input_tokens: text + sent,
    input_tokens_details: { text_tokens: text, image_tokens: sent },
    output_tokens: image,
    output_tokens_details: { image_tokens: image, text_tokens: 0 },
    total_tokens: text + sent + image,
  };
}
