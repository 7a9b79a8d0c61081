/** Image requests when the provider rejects, fails, hangs or returns invalid answers, in each protocol. */
import type { ServerResponse } from 'node:http';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';
import { addImageModels, type ImagesBody, imageModel } from '../../harness/matrix/images.ts';
import { startStopwatch } from '../../harness/stopwatch.ts';
import { answerJson, type UpstreamRequest } from '../../harness/upstream.ts';

/** How each model fails; the others generate images. */
const failing = new Map<string, Script>();
type Script = (request: UpstreamRequest, response: ServerResponse) => void | Promise<void>;

const picture = Buffer.from('a picture').toString('base64');

const openaiBody = (n = 1) => ({
  created: 1,
  data: Array.from({ length: n }, () => ({ b64_json: picture })),
  usage: {
    input_tokens: 10,
    input_tokens_details: { text_tokens: 10, image_tokens: 0 },
    output_tokens: 100,
    output_tokens_details: { image_tokens: 90, text_tokens: 10 },
    total_tokens: 110,
  },
});

const geminiBody = (
  parts: readonly object[] = [{ inlineData: { mimeType: 'image/png', data: picture } }],
) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
  usageMetadata: {
    promptTokenCount: 10,
    candidatesTokenCount: 90,
    thoughtsTokenCount: 10,
    totalTokenCount: 110,
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 90 }],
  },
});

interface ProtocolRow {
  readonly provider: string;
  readonly body: (n?: number) => object;
  /** Rejections by the provider's moderation: a status and a body. */
  readonly refusals: Readonly<Record<string, readonly [number, object, string?]>>;
  readonly limited: readonly [number, object];
  /** Answers without an image and without a reason. */
  readonly empty: object;
}

const openaiError = (code: string | null, message: string) => ({
  error: { message, type: 'invalid_request_error', param: null, code },
});
const safety = 'Your request was rejected by the safety system.';
const team = '9b2f1c3e-1111-4222-8333-123456789abc';
const googleError = (code: number, status: string, message: string) => ({ error: { code, status, message } });
const filtered = (finishReason: string) => ({ candidates: [{ content: {}, finishReason }] });

const protocols: readonly ProtocolRow[] = [
  {
    provider: 'openai',
    body: openaiBody,
    refusals: {
      moderation_blocked: [400, openaiError('moderation_blocked', safety), 'moderation_blocked'],
      'its policy': [400, openaiError('content_policy_violation', safety)],
      'a sentence alone': [400, openaiError(null, safety)],
      'a body that reports it': [200, openaiError('moderation_blocked', safety), 'moderation_blocked'],
    },
    limited: [429, openaiError('rate_limit_exceeded', 'Rate limit reached')],
    empty: { created: 1, data: [] },
  },
  {
    provider: 'azure',
    body: openaiBody,
    refusals: {
      'its filter': [
        400,
        {
          error: {
            code: 'contentFilter',
            message: 'Generated image was filtered as a result of our safety system.',
          },
        },
      ],
      'the code within its code': [
        400,
        {
          error: { code: 'BadRequest', message: 'no', inner_error: { code: 'ResponsibleAIPolicyViolation' } },
        },
      ],
      'its filter of prompts': [
        400,
        {
          error: {
            code: 'content_policy_violation',
            message: safety,
            inner_error: { code: 'ResponsibleAIPolicyViolation' },
          },
        },
      ],
    },
    limited: [429, { error: { code: '429', message: 'Requests exceeded the call rate limit.' } }],
    empty: {},
  },
  {
    provider: 'xai',
    body: (n = 1) => ({ data: openaiBody(n).data }),
    refusals: {
      'an empty list': [200, { data: [] }],
      'an empty image': [200, { data: [{ b64_json: '', respect_moderation: false }] }],
      'a sentence': [
        400,
        { code: 'invalid-argument', error: 'Generated image rejected by content moderation.' },
      ],
      'its guidelines': [
        403,
        {
          code: 'The caller does not have permission to execute the specified operation',
          error: `Content violates usage guidelines. Team: ${team}, API key ID: ${team}, Failed check: SAFETY`,
        },
      ],
    },
    limited: [429, { code: 'rate-limited', error: 'Too many requests' }],
    empty: { data: [{ url: 'https://example.com/image.jpg' }] },
  },
  {
    provider: 'google',
    body: () => geminiBody(),
    refusals: {
      'the image': [200, filtered('IMAGE_SAFETY')],
      'the image for its subject': [200, filtered('IMAGE_PROHIBITED_CONTENT')],
      'the prompt': [200, { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }],
    },
    limited: [429, googleError(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted')],
    empty: geminiBody([{ text: 'I would rather talk.' }]),
  },
];

const idOf = (provider: string) => `faults/${provider}`;

/** The model in the path or the body of a call. */
const calledModel = ({ path, body }: UpstreamRequest) =>
  /\/models\/([\w-]+):/.exec(path)?.[1] ?? String(body.model);

const { gateway, upstream } = useUpstreamGateway(
  protocols.map(({ provider }) => provider.toUpperCase()),
  { GATEWAY_READ_ON_MS: '100' },
);
beforeAll(async () => {
  const timeouts = { bodyMs: 2_000 };
  await addImageModels(
    ...protocols.map(({ provider }) => imageModel(idOf(provider), provider, provider, { timeouts })),
    imageModel('faults/other', 'openai', 'other', { traits: { image: { maxImages: 2 } } }),
  );
});

beforeEach(() => {
  failing.clear();
  upstream.script((request, response) => {
    const name = calledModel(request);
    const script = failing.get(name);
    if (script) return script(request, response);
    const protocol = protocols.find(({ provider }) => provider === name);
    return answerJson((protocol?.body ?? openaiBody)(Number(request.body.n ?? 1)))(request, response);
  });
});

async function generate(model: string, more: object = {}) {
  const response = await gateway.post('/v1/images/generations', { model, prompt: 'A fox', ...more });
  const answer = (await response.json()) as ImagesBody;
  return { status: response.status, headers: response.headers, answer };
}

const called = () => upstream.requests.map(calledModel);
const withOther = { extra: { fallbacks: ['faults/other'], debug: ['routing'] } };

describe.each(protocols)('$provider', ({ provider, body, refusals, limited, empty }) => {
  const model = idOf(provider);

  test('returns its images and their usage', async () => {
    const { status, answer } = await generate(model, { n: 2 });
    expect(status).toBe(200);
    expect(answer.data).toEqual([{ b64_json: picture }, { b64_json: picture }]);
    const calls = called().length;
    if (!('usage' in body() || 'usageMetadata' in body())) return expect(answer.usage).toBeUndefined();
    expect(answer.usage).toMatchObject({
      input_tokens: 10 * calls,
      output_tokens: 100 * calls,
      total_tokens: 110 * calls,
      output_tokens_details: { image_tokens: 90 * calls, text_tokens: 10 * calls },
    });
  });

  test.each(Object.entries(refusals))(
    'rejects with %s: the caller gets the error, and no fallback is called',
    async (_, row) => {
      const [status, refusal, code = 'content_policy_violation'] = row;
      failing.set(provider, answerJson(refusal, status));
      const { status: reported, answer } = await generate(model, withOther);
      expect(reported).toBe(400);
      expect(answer.error).toMatchObject({ type: 'invalid_request_error', code });
      expect(JSON.stringify(answer)).not.toContain(team);
      expect(called()).toEqual([provider]);
    },
  );

  test('is rate limited without a fallback: the caller gets the time to wait', async () => {
    failing.set(provider, answerJson(limited[1], limited[0], { 'retry-after': '42' }));
    const { status, headers, answer } = await generate(model);
    expect([status, answer.error?.type, headers.get('retry-after')]).toEqual([429, 'rate_limit_error', '42']);
  });

  test('answers with what is no image: a fallback answers, whatever it is', async () => {
    const texts: Readonly<Record<string, string>> = {
      'invalid JSON': '<html>',
      'half a body': JSON.stringify(body()).slice(0, -20),
      'no image': JSON.stringify(empty),
      'another text': JSON.stringify(body()).replace(picture, 'no picture'),
    };
    const names = Object.keys(texts);
    failing.set(provider, (request, response) => {
      const text = texts[names.find((name) => request.text.includes(name)) ?? ''];
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
    const asked = names.map(async (prompt) => {
      const { status, answer } = await generate(model, { prompt, ...withOther });
      const reasons = answer.debug?.routing?.map(({ reason }) => reason);
      return [prompt, status, answer.data?.length, reasons?.at(0), reasons?.at(-1)];
    });
    const noImage = 'provider_invalid_answer';
    expect(await Promise.all(asked)).toEqual(names.map((name) => [name, 200, 1, noImage, undefined]));
    const alone = await generate(model, { prompt: 'no image' });
    expect([alone.status, alone.answer.error?.code]).toEqual([500, noImage]);
  });
});

describe('a provider that does not answer', () => {
  test('within its timeout: a fallback answers without a retry', async () => {
    // What failed before is forgotten.
    expect((await generate(idOf('openai'))).status).toBe(200);
    failing.set('openai', () => undefined);
    const started = performance.now();
    const watch = startStopwatch();
    const { status } = await generate(idOf('openai'), withOther);
    expect(status).toBe(200);
    expect(called()).toEqual(['openai', 'openai', 'other']);
    // Half of its timeout, because another target is left.
    expect(performance.now() - started).toBeGreaterThan(990);
    expect(watch.waitedMs()).toBeLessThan(4_000);
  });

  test('without a fallback: it gets its full timeout', async () => {
    failing.set('openai', () => undefined);
    const started = performance.now();
    const { status, answer } = await generate(idOf('openai'));
    expect(performance.now() - started).toBeGreaterThan(1_990);
    expect([status, answer.error?.code]).toEqual([503, 'provider_timeout']);
    expect(answer.error?.message).toBe(`Provider 'openai' did not respond within 2 s.`);
  });
});

describe('other fields of an answer', () => {
  test('without counts are not usage', async () => {
    const usage = { input_tokens: 0, output_tokens: -1, total_tokens: 0 };
    failing.set('openai', answerJson({ ...openaiBody(), usage }));
    const { status, answer } = await generate(idOf('openai'));
    expect([status, answer.usage]).toEqual([200, undefined]);
  });

  test('that are not text are omitted', async () => {
    failing.set(
      'openai',
      answerJson({ ...openaiBody(), quality: 'x'.repeat(8_000), size: 7, background: '' }),
    );
    const { status, answer } = await generate(idOf('openai'));
    expect([status, answer.quality, answer.size, answer.background]).toEqual([
      200,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('several images from a protocol that generates one per call', () => {
  test('are generated by a limited number of concurrent calls, all or none', async () => {
    let running = 0;
    let most = 0;
    failing.set('google', async (request, response) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 30));
      running--;
      await answerJson(geminiBody())(request, response);
    });
    const { answer } = await generate('faults/google', { n: 10 });
    expect(answer.data).toHaveLength(10);
    expect(upstream.requests).toHaveLength(10);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
  });

  test('are not returned if one call fails; those that are drawn by then are waited for', async () => {
    let asked = 0;
    failing.set('google', async (request, response) => {
      asked += 1;
      if (asked === 2) return answerJson(filtered('IMAGE_SAFETY'))(request, response);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return answerJson(geminiBody())(request, response);
    });
    const { status, answer } = await generate('faults/google', { n: 4 });
    expect([status, answer.error?.code]).toEqual([400, 'content_policy_violation']);
    const over = await Promise.all(upstream.requests.map((request) => request.over));
    expect(over).toEqual([true, true, true, true]);
  });

  test('thoughts and further images of one answer are omitted', async () => {
    const image = (data: string) => ({ inlineData: { mimeType: 'image/png', data } });
    const parts = [{ ...image('draft'), thought: true }, { text: 'Here:' }, image(picture), image('more')];
    failing.set('google', answerJson(geminiBody(parts)));
    const { answer } = await generate('faults/google');
    expect(answer.data).toEqual([{ b64_json: picture }]);
  });
});

describe('fallbacks', () => {
  test('that do not support this number of images are rejected by their index, before any call', async () => {
    const { status, answer } = await generate('faults/openai', { n: 3, ...withOther });
    expect([status, answer.error?.param]).toEqual([400, 'extra.fallbacks.0']);
    expect(answer.error?.message).toContain('at most 2 images');
    expect(upstream.requests).toHaveLength(0);
  });

  test('without image generation are rejected by their index', async () => {
    const { status, answer } = await generate('faults/openai', { extra: { fallbacks: ['openai/gpt-4.1'] } });
    expect([status, answer.error?.param]).toEqual([400, 'extra.fallbacks.0']);
    expect(answer.error?.code).toBe('unsupported_operation');
  });

  test('a model with a lower maximum rejects the parameter by name', async () => {
    const { status, answer } = await generate('faults/other', { n: 3 });
    expect([status, answer.error?.param]).toEqual([400, 'n']);
    expect(upstream.requests).toHaveLength(0);
  });
});

test('the provider’s call ends when the caller disconnects', async () => {
  failing.set('openai', () => undefined);
  const leaving = new AbortController();
  const asked = gateway
    .post('/v1/images/generations', { model: 'faults/openai', prompt: 'A fox' }, {}, leaving.signal)
    .catch(() => undefined);
  while (upstream.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  leaving.abort();
  await asked;
  expect(await upstream.requests[0]?.over).toBe(false);
});
