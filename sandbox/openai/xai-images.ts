/** xAI's image protocol of the sandbox: shapes in place of sizes, and links unless data is asked for. */
import { jsonAnswer, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { areaOfShape, isForbidden } from '../image-requests.ts';
import { imageOf } from '../images.ts';
import { numberOf, objectOf, textOf } from '../json.ts';
import { refuse, refuseMissing, refuseParameter, refuseValue } from './refuse.ts';

const refused = [
  'size',
  'quality',
  'style',
  'background',
  'output_format',
  'output_compression',
  'moderation',
];

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
