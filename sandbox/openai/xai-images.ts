/** The image protocol of xAI, with shapes in place of sizes, in the sandbox. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { jsonAnswer, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { areaOfShape, formatOf, imageOf, isForbidden } from '../images.ts';
import { listOf, numberOf, objectOf, textOf, words } from '../json.ts';
import { refuse, refuseMissing, refuseParameter, refuseValue } from './refuse.ts';

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
