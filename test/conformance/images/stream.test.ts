/** Images as events: natively, from a target without streams, broken off, and what each costs. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';
import { addImageModels, imageModel, imageRows, lookAt } from '../../harness/matrix/images.ts';
import { answerEvents, answerJson } from '../../harness/upstream.ts';

const { gateway, upstream } = useUpstreamGateway('OPENAI');
const price = { input: 5, output: 30, imageInput: 8, imageOutput: 30 };
beforeAll(() => addImageModels(imageModel('streams/one', 'openai', 'gpt-image-2', { price })));

interface SentEvent {
  readonly type: string;
  readonly b64_json?: string;
  readonly partial_image_index?: number;
  readonly usage?: { readonly output_tokens: number; readonly cost?: number };
  readonly debug?: { readonly normalizations?: readonly object[] };
  readonly error?: { readonly code: string | null; readonly type: string };
}

async function generate(body: object, headers = {}) {
  const asked = { model: 'streams/one', prompt: 'A fox', stream: true, ...body };
  const response = await gateway.post('/v1/images/generations', asked, headers);
  const text = await response.text();
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  const events = isStream ? text.split('\n\n').flatMap(readEvent) : [];
  return { response, text, events };
}

/** Its name is its type, too. */
function readEvent(frame: string): SentEvent[] {
  const [, name, data = ''] = /^event: (.*)\ndata: (.*)$/.exec(frame) ?? [];
  if (name === undefined) return [];
  const event = JSON.parse(data);
  if (name !== 'error') expect(event.type).toBe(name);
  return [event];
}

const recordOf = async (response: Response) => {
  const headers = { authorization: `Bearer ${gateway.apiKey}` };
  const id = response.headers.get('x-request-id');
  const found = await fetch(`${gateway.url}/v1/usage/requests/${id}`, { headers });
  return (await found.json()) as { cost_nano_usd: number | null; attempts: { usage?: object }[] };
};

const image = (bytes: number) => randomBytes(bytes).toString('base64');
const partial = (index: number, b64_json = image(300)) => ({
  type: 'image_generation.partial_image',
  b64_json,
  partial_image_index: index,
  size: '1024x1024',
});
const usage = {
  input_tokens: 10,
  input_tokens_details: { text_tokens: 10, image_tokens: 0 },
  output_tokens: 1_200,
  output_tokens_details: { image_tokens: 1_200, text_tokens: 0 },
  total_tokens: 1_210,
};
const completed = (b64_json = image(300)) => ({ type: 'image_generation.completed', b64_json, usage });
const refusal = {
  type: 'error',
  error: {
    type: 'image_generation_user_error',
    code: 'moderation_blocked',
    message: 'Your request was rejected by the safety system.',
    param: null,
  },
};

describe('a target with streams', () => {
  test('gives unfinished images of megabytes as they come, and the finished one with its usage', async () => {
    const images = [image(1_500_000), image(1_500_000), image(3_000_000)] as const;
    upstream.script(answerEvents([partial(0, images[0]), partial(1, images[1]), completed(images[2])]));
    const { response, events } = await generate({ partial_images: 2, usage: { include: true } });
    expect(upstream.requests[0]?.body).toMatchObject({ stream: true, partial_images: 2 });
    expect(events.map(({ type, partial_image_index: index }) => [type, index])).toEqual([
      ['image_generation.partial_image', 0],
      ['image_generation.partial_image', 1],
      ['image_generation.completed', undefined],
    ]);
    expect(events.map(({ b64_json }) => b64_json)).toEqual(images);
    expect(events.map((event) => event.usage?.output_tokens)).toEqual([undefined, undefined, 1_200]);
    // 10 tokens of 5 dollars a million, 1,200 of 30.
    expect(events[2]?.usage?.cost).toBe(0.03605);
    expect(await recordOf(response)).toMatchObject({ cost_nano_usd: 36_050_000 });
  });

  test('may give fewer unfinished images, or none', async () => {
    upstream.script(answerEvents([completed()]));
    const { events } = await generate({ partial_images: 3 });
    expect(events.map(({ type }) => type)).toEqual(['image_generation.completed']);
  });

  test('is given up before its first image, and the next answers', async () => {
    upstream.script(answerEvents([]));
    const { events } = await generate({ extra: { fallbacks: ['xai/grok-imagine-image'] } });
    expect(events.map(({ type }) => type)).toEqual(['image_generation.completed']);
  });

  test.each<[string, readonly unknown[], string, string[]?]>([
    ['that breaks off', [], 'provider_stream_cut', ['xai/grok-imagine-image']],
    ['that reports an error', [refusal], 'moderation_blocked'],
    ['with an event that is no JSON', ['no object'], 'provider_stream_cut'],
    ['with an image that is none', [completed('no base64!'.repeat(1_000))], 'provider_invalid_answer'],
  ])(
    '%s after its first image ends with an error, and its cost is an estimate',
    async (_, rest, code, fallbacks = []) => {
      upstream.script(answerEvents([partial(0), ...rest], { done: false }));
      const { response, events } = await generate({
        partial_images: 1,
        quality: 'low',
        extra: { fallbacks },
      });
      expect(events.map(({ type }) => type)).toEqual(['image_generation.partial_image', undefined]);
      expect(events[1]?.error).toMatchObject({ code });
      // A prompt of two tokens, an image of 272 at this quality, and 100 for the unfinished one.
      expect(await recordOf(response)).toMatchObject({
        cost_nano_usd: 2 * 5_000 + 372 * 30_000,
        attempts: [{ estimated: true }],
      });
    },
  );

  test('refuses before its first image: that has a status, and costs nothing', async () => {
    upstream.script(answerEvents([refusal]));
    const { response, text } = await generate({});
    expect([response.status, JSON.parse(text).error.code]).toEqual([400, 'moderation_blocked']);
    upstream.script(answerJson(refusal, 400));
    expect((await generate({})).response.status).toBe(400);
  });

  test('is asked once for a request that is sent again with its idempotency key', async () => {
    upstream.script(answerEvents([completed()]));
    const headers = { 'idempotency-key': 'draw-once' };
    const first = await generate({}, headers);
    const again = await generate({}, headers);
    expect(again.text).toBe(first.text);
    expect(again.response.headers.get('idempotent-replayed')).toBe('true');
    expect(upstream.requests).toHaveLength(1);
  });
});

test.each(imageRows.filter(({ provider }) => provider !== 'openai'))(
  '$provider gives the finished image as an event, and what it leaves out is on record',
  async ({ provider, model, format, counts }) => {
    const { events } = await generate({ model, partial_images: 1, extra: { debug: ['normalizations'] } });
    const last = events.at(-1);
    expect(last?.type).toBe('image_generation.completed');
    expect(lookAt(last?.b64_json ?? '').format).toBe(format);
    expect(last?.usage !== undefined).toBe(counts);
    const isNative = provider === 'azure';
    expect(events).toHaveLength(isNative ? 2 : 1);
    const left = { param: 'partial_images', action: 'strip', before: 1 };
    expect(last?.debug?.normalizations).toEqual(isNative ? [] : [expect.objectContaining(left)]);
  },
);

test('a dry run asks no provider, and counts unfinished images in what it may cost at most', async () => {
  const highest = async (partial_images: number) => {
    const { text } = await generate({ partial_images, extra: { dry_run: true } });
    return JSON.parse(text).debug.dry_run.highest_cost;
  };
  // 100 tokens each.
  expect((await highest(3)) - (await highest(0))).toBeCloseTo((300 * 30) / 1e6, 9);
});

test.each([
  ['n', { n: 2 }],
  ['stream', { output_format: 'gif' }],
  ['stream', { output_format: 'svg' }],
  ['partial_images', { partial_images: 4 }],
  ['partial_images', { stream: false, partial_images: 1 }],
])('%s is refused by name: %j', async (param, more) => {
  const { response, text } = await generate(more);
  expect([response.status, JSON.parse(text).error.param]).toEqual([400, param]);
});
