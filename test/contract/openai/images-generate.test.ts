/** Image generation through the official SDK, and every field of a request with its limits. */
import OpenAI, { NotFoundError } from 'openai';
import { beforeAll, describe, expect, test } from 'vitest';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { type ImagesBody, lookAt } from '../../harness/matrix/images.ts';
import { hasOpenAiSchema, openAiSchema } from '../../harness/openai-schema.ts';

const gateway = useGateway();
let client: OpenAI;

beforeAll(() => {
  client = new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().apiKey, maxRetries: 0 });
});

const model = 'openai/gpt-image-2';
const prompt = 'A lighthouse at night';

async function post(body: object) {
  const response = await gateway().post('/v1/images/generations', body);
  return {
    status: response.status,
    headers: response.headers,
    answer: (await response.json()) as ImagesBody,
  };
}

describe('the SDK', () => {
  test('generates an image', async () => {
    const answer = await client.images.generate({
      model,
      prompt,
      n: 2,
      size: '1024x1536',
      quality: 'high',
      background: 'opaque',
      output_format: 'webp',
      output_compression: 80,
      moderation: 'low',
      user: 'user-1',
    });
    expect(answer).toMatchObject({
      size: '1024x1536',
      quality: 'high',
      background: 'opaque',
      output_format: 'webp',
    });
    expect(answer.data?.map(({ b64_json }) => lookAt(b64_json ?? ''))).toEqual([
      { format: 'webp', size: '1024x1536' },
      { format: 'webp', size: '1024x1536' },
    ]);
    expect(answer.usage?.total_tokens).toBeGreaterThan(0);
    if (hasOpenAiSchema) expect(openAiSchema('ImagesResponse')(answer)).toEqual([]);
  });

  test.each(['openai/gpt-image-1', 'openai/dall-e-3', 'openai/dall-e-2'])(
    'gets the replacement of %s in the error',
    async (id) => {
      const gone = await client.images.generate({ model: id, prompt }).catch((error) => error);
      expect(gone).toBeInstanceOf(NotFoundError);
      expect(gone.message).toContain('openai/gpt-image-2.5-sunburst');
    },
  );

  test('gets two unfinished images, and then the finished one with its usage', async () => {
    const stream = await client.images.generate({ model, prompt, stream: true, partial_images: 2 });
    const events = [];
    for await (const event of stream) events.push(event);
    expect(
      events.map((event) => [event.type, 'partial_image_index' in event && event.partial_image_index]),
    ).toEqual([
      ['image_generation.partial_image', 0],
      ['image_generation.partial_image', 1],
      ['image_generation.completed', false],
    ]);
    expect(new Set(events.map(({ b64_json }) => b64_json)).size).toBe(3);
    const [first, last] = [events[0], events.at(-1)];
    expect(last).toMatchObject({ usage: { output_tokens: expect.any(Number) } });
    if (!hasOpenAiSchema) return;
    expect(openAiSchema('ImageGenPartialImageEvent')(first)).toEqual([]);
    expect(openAiSchema('ImageGenCompletedEvent')(last)).toEqual([]);
  });
});

describe('fields', () => {
  test.each([
    ['model', { model: undefined }],
    ['model', { model: '' }],
    ['model', { model: 'openai/gpt-4.1' }],
    ['prompt', { prompt: undefined }],
    ['prompt', { prompt: '' }],
    ['prompt', { prompt: ['A lighthouse'] }],
    ['prompt', { prompt: 'x'.repeat(32_001) }],
    ['n', { n: 0 }],
    ['n', { n: 11 }],
    ['n', { n: 1.5 }],
    ['size', { size: '1024' }],
    ['size', { size: '0x100' }],
    ['size', { size: 'large' }],
    ['quality', { quality: 'hd' }],
    ['background', { background: 'blue' }],
    ['background', { background: 'transparent', output_format: 'jpeg' }],
    ['output_format', { output_format: 'bmp' }],
    ['output_compression', { output_compression: -1 }],
    ['output_compression', { output_compression: 101 }],
    ['moderation', { moderation: 'none' }],
    ['user', { user: 7 }],
    ['stream', { stream: 'yes' }],
    ['response_format', { response_format: 'png' }],
    ['style', { style: 'gloomy' }],
    ['extra.fallbacks.0', { extra: { fallbacks: ['unknown/model'] } }],
    ['extra.debug.0', { extra: { debug: ['everything'] } }],
    ['extra.normalize', { extra: { normalize: false } }],
    ['seed', { seed: 7 }],
  ])('%s is rejected by name: %j', async (param, fault) => {
    const { status, answer } = await post({ model, prompt, ...fault });
    expect(answer.error).toMatchObject({
      type: expect.stringMatching(/^(invalid_request|not_found)_error$/),
      param,
    });
    expect([400, 404]).toContain(status);
    expect(answer.error?.message).not.toContain('xxxx');
  });

  test.each([
    ['the longest prompt', { prompt: 'x'.repeat(32_000) }],
    ['the longest prompt, in characters of two UTF-16 units', { prompt: '🦊'.repeat(32_000) }],
    ['streaming fields that request nothing', { stream: false, partial_images: 0 }],
    [
      'null, where OpenAI allows it',
      {
        ...{ n: null, size: null, quality: null, background: null, output_format: null, moderation: null },
        ...{
          output_compression: null,
          stream: null,
          partial_images: null,
          response_format: null,
          style: null,
        },
      },
    ],
    ['auto for every parameter', { size: 'auto', quality: 'auto', background: 'auto', moderation: 'auto' }],
    ['ten images', { n: 10, quality: 'low' }],
  ])('%s is accepted', async (_, more) => {
    const { status, answer } = await post({ model, prompt, ...more });
    expect(status).toBe(200);
    expect(answer.data.length).toBe('n' in more && more.n ? more.n : 1);
  });
});

describe('a deprecated parameter', () => {
  const debug = ['deprecations', 'normalizations'];

  test('is removed and reported', async () => {
    const more = { response_format: 'url', style: 'vivid', extra: { debug } };
    const { status, answer, headers } = await post({ model, prompt, ...more });
    expect(status).toBe(200);
    expect(lookAt(answer.data[0]?.b64_json ?? '').format).toBe('png');
    expect(answer.debug?.deprecations?.map(({ param }) => param)).toEqual(['response_format', 'style']);
    expect(answer.debug?.normalizations).toMatchObject([
      { param: 'response_format', action: 'override', before: 'url', after: 'b64_json' },
      { param: 'style', action: 'strip', before: 'vivid', after: null },
    ]);
    expect(headers.get('x-gateway-normalizations')).toBe('2');
  });

  test('is only reported if nothing changes', async () => {
    const { answer, headers } = await post({ model, prompt, response_format: 'b64_json', extra: { debug } });
    expect(answer.debug?.deprecations?.map(({ param }) => param)).toEqual(['response_format']);
    expect(answer.debug?.normalizations).toEqual([]);
    expect(headers.get('x-gateway-normalizations')).toBeNull();
  });
});
