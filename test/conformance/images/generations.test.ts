/** Image generation with every provider: real images in the requested format and size, usage, and rejections with a reason. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../harness/gateways/gateway.ts';
import { startWatchedSandbox } from '../../harness/gateways/watched-sandbox.ts';
import {
  addImageModels,
  type ImageRow,
  type ImagesBody,
  imageRows,
  lookAt,
} from '../../harness/matrix/images.ts';
import { hasOpenAiSchema, openAiSchema } from '../../harness/openai-schema.ts';
import { use } from '../../harness/use.ts';

const sandbox = use(() => startWatchedSandbox('openai', 'azure', 'google', 'google-vertex', 'xai'));
const gateway = use(() => startTestGateway({ ...sandbox.environment, GOOGLE_VERTEX_PROJECT: 'a-project' }));
beforeAll(async () => {
  await addImageModels();
});

async function generate(row: Pick<ImageRow, 'model'>, more: object = {}) {
  sandbox.take();
  const body = { model: row.model, prompt: 'A fox in the snow', ...more };
  const response = await gateway.post('/v1/images/generations', body);
  const answer = (await response.json()) as ImagesBody;
  return { status: response.status, headers: response.headers, answer, asked: sandbox.take() };
}

const normalized = ({ debug }: ImagesBody, param: string) =>
  debug?.normalizations?.find((change) => change.param === param);

describe.each(imageRows)('$provider', (row) => {
  test('generates an image', async () => {
    const { status, headers, answer } = await generate(row);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('x-gateway-sandbox')).toBe('true');
    expect(answer.data.map(({ b64_json }) => lookAt(b64_json).format)).toEqual([row.format]);
    expect(Math.abs(answer.created - Date.now() / 1000)).toBeLessThan(60);
  });

  test('generates several different images, and reports the usage of all', async () => {
    const [one, three] = [await generate(row), await generate(row, { n: 3 })];
    expect(three.status).toBe(200);
    const formats = three.answer.data.map(({ b64_json }) => lookAt(b64_json).format);
    expect(formats).toEqual([row.format, row.format, row.format]);
    const { usage } = three.answer;
    expect(usage !== undefined).toBe(row.counts);
    if (!usage) return;
    expect(usage.output_tokens_details.image_tokens).toBe((one.answer.usage?.output_tokens ?? 0) * 3);
    expect(usage.output_tokens_details.image_tokens).toBeGreaterThan(0);
    expect(usage.total_tokens).toBe(usage.input_tokens + usage.output_tokens);
    expect(usage.input_tokens_details).toMatchObject({ text_tokens: usage.input_tokens, image_tokens: 0 });
  });

  test.runIf(hasOpenAiSchema)('answers in the format of the public schema', async () => {
    const { answer } = await generate(row, { n: 2, size: '1024x1024' });
    expect(openAiSchema('ImagesResponse')(answer)).toEqual([]);
    if (row.counts) expect(openAiSchema('ImageGenUsage')(answer.usage)).toEqual([]);
  });

  test('generates the requested size, or reports the actual one', async () => {
    const extra = { debug: ['normalizations'] };
    const { answer } = await generate(row, { size: '1536x1024', extra });
    expect(answer.size).toBe(row.landscape);
    expect(lookAt(answer.data[0]?.b64_json ?? '').size).toBe(row.landscape);
    const reported = { param: 'size', action: 'override', before: '1536x1024', after: row.landscape };
    if (row.landscape === '1536x1024') expect(normalized(answer, 'size')).toBeUndefined();
    else expect(normalized(answer, 'size')).toMatchObject(reported);
  });

  test('applies a parameter, or reports that it does not', async () => {
    const asked = {
      quality: 'low',
      background: 'opaque',
      output_format: 'jpeg',
      output_compression: 60,
      moderation: 'low',
      user: 'user-1',
    };
    const extra = { debug: ['normalizations'] };
    const { status, answer, asked: calls, headers } = await generate(row, { ...asked, extra });
    expect(status).toBe(200);
    const sent = JSON.stringify(calls[0]?.body);
    const carried = (value: unknown) => new RegExp(`"(image/)?${value}"|[^\\d]${value}[^\\d]`).test(sent);
    for (const [param, value] of Object.entries(asked)) {
      const stripped = normalized(answer, param)?.action === 'strip';
      expect([param, carried(value)]).toEqual([param, !stripped]);
    }
    expect(Number(headers.get('x-gateway-normalizations') ?? 0)).toBe(answer.debug?.normalizations?.length);
    // The answer claims nothing untrue about the image.
    if (answer.output_format)
      expect(lookAt(answer.data[0]?.b64_json ?? '').format).toBe(answer.output_format);
  });
});

test('OpenAI gets only the prompt and the given parameters', async () => {
  const more = { response_format: 'b64_json', style: 'vivid', quality: null, stream: false };
  const { asked } = await generate({ model: 'openai/gpt-image-1.5' }, more);
  expect(asked.map(({ body }) => body)).toEqual([{ model: 'gpt-image-1.5', prompt: 'A fox in the snow' }]);
});

test('Gemini gets one call for each image', async () => {
  const { asked } = await generate({ model: 'google/gemini-2.5-flash-image' }, { n: 5, size: '1024x1536' });
  expect(asked).toHaveLength(5);
  for (const { body, path } of asked) {
    expect(path).toBe('/models/gemini-2.5-flash-image:generateContent');
    expect(body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'A fox in the snow' }] }],
      generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '2:3' } },
    });
  }
});

test.each([
  [{ output_format: 'webp', output_compression: 50 }, 'webp', undefined],
  [{ output_format: 'png', output_compression: 50 }, 'png', 'strip'],
  [{ output_compression: 50 }, 'png', 'strip'],
])('a compression of %j', async (asked, format, action) => {
  const extra = { debug: ['normalizations'] };
  const { answer } = await generate({ model: 'openai/gpt-image-2' }, { ...asked, extra });
  expect(lookAt(answer.data[0]?.b64_json ?? '').format).toBe(format);
  expect(normalized(answer, 'output_compression')?.action).toBe(action);
});

test('the settings of the newest models reach them, and older ones on record without', async () => {
  const newest = { background: 'transparent', quality: 'max', complexity: 'high', safety_identifier: 'hash' };
  const { answer, asked } = await generate({ model: 'openai/gpt-image-2.5-flare' }, newest);
  expect(answer).toMatchObject({ background: 'transparent', quality: 'max' });
  expect(asked.map(({ body }) => body)).toMatchObject([newest]);
  const extra = { debug: ['normalizations'] };
  const { answer: older } = await generate({ model: 'openai/gpt-image-2' }, { ...newest, extra });
  for (const param of ['quality', 'complexity'])
    expect(normalized(older, param)).toMatchObject({ action: 'strip', before: newest[param as 'quality'] });
});
