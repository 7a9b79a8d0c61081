/** Decoding images of each protocol: their data, what the host says of them, usage, and what is no image. */
import { describe, expect, test } from 'vitest';
import type { ImageAnswer, ImageProtocol } from '../../lib/core/generation/image.ts';
import { googleImages } from '../../lib/protocols/google-images/protocol.ts';
import { openaiImages } from '../../lib/protocols/openai-images/protocol.ts';
import { xaiImages } from '../../lib/protocols/xai-images/protocol.ts';
import { testTarget } from '../harness/matrix/model.ts';
import { errorOf } from './answer.ts';

const decode = (protocol: ImageProtocol, body: unknown): ImageAnswer =>
  protocol.decode(body, (text) => [text]);
const kindOf = (protocol: ImageProtocol, body: unknown) => errorOf(() => decode(protocol, body)).kind;
const failure = (status: number, error: unknown) => ({
  status,
  headers: {},
  body: JSON.stringify({ error }),
});

test('the path of each protocol', () => {
  expect([openaiImages, xaiImages, googleImages].map(({ path }) => path('a/b'))).toStrictEqual([
    '/images/generations',
    '/images/generations',
    '/models/a%2Fb:generateContent',
  ]);
  expect([openaiImages, xaiImages, googleImages].map(({ imagesPerCall }) => imagesPerCall)).toStrictEqual([
    10, 10, 1,
  ]);
});

describe('OpenAI', () => {
  const data = [{ b64_json: 'AAAA' }, { url: 'https://a.example/' }, { b64_json: 'BBBB' }];

  test('an answer without usage and settings has its images only', () => {
    expect(decode(openaiImages, { data })).toStrictEqual({ images: [['AAAA'], ['BBBB']], usage: undefined });
  });

  test('the settings are those that the host reports', () => {
    const settings = { quality: 'high', size: '1024x1024', background: 'opaque' };
    expect(decode(openaiImages, { data, ...settings, output_format: 'png' })).toStrictEqual({
      images: [['AAAA'], ['BBBB']],
      usage: undefined,
      ...settings,
      outputFormat: 'png',
    });
  });

  test.each(['', 7, 'two words', 'x'.repeat(33), '!high', 'high!'])('a quality of %j is none', (quality) => {
    expect(decode(openaiImages, { data, quality })).not.toHaveProperty('quality');
  });

  const usageOf = (usage: object) => decode(openaiImages, { data, usage }).usage;
  const counts = { input_tokens: 10, output_tokens: 100 };

  test.each<[string, object, object]>([
    [
      'without details: text, and an image',
      {},
      {
        inputTextTokens: 10,
        inputImageTokens: 0,
        outputTextTokens: 0,
        outputImageTokens: 100,
        cachedTokens: 0,
      },
    ],
    [
      'with details',
      {
        input_tokens_details: { image_tokens: 4, cached_tokens: 3 },
        output_tokens_details: { text_tokens: 20 },
      },
      {
        inputTextTokens: 6,
        inputImageTokens: 4,
        outputTextTokens: 20,
        outputImageTokens: 80,
        cachedTokens: 3,
      },
    ],
    [
      'with details above the counts',
      {
        input_tokens_details: { image_tokens: 40, cached_tokens: 30 },
        output_tokens_details: { text_tokens: 200 },
      },
      {
        inputTextTokens: 0,
        inputImageTokens: 10,
        outputTextTokens: 100,
        outputImageTokens: 0,
        cachedTokens: 10,
      },
    ],
  ])('a usage %s', (_, details, expected) => {
    const usage = { ...counts, ...details };
    expect(usageOf(usage)).toStrictEqual({ inputTokens: 10, outputTokens: 100, ...expected, raw: [usage] });
  });

  test('a usage of zero is unknown: no image is free', () => {
    expect(usageOf({ input_tokens: 0, output_tokens: 0 })).toBeUndefined();
    expect(usageOf({ input_tokens: 5, output_tokens: 5 })).toMatchObject({ inputTokens: 5 });
    expect(usageOf({ output_tokens: 1 })).toMatchObject({ inputTokens: 0, outputTokens: 1 });
    expect(openaiImages.readUsage?.({ usage: counts })).toMatchObject({ outputTokens: 100 });
    expect(openaiImages.readUsage?.({})).toBeUndefined();
  });

  test('a cost that the host states is kept', () => {
    expect(decode(openaiImages, { data, usage: { cost_in_usd_ticks: 200 } }).statedCost).toBe(20);
  });

  test.each([undefined, null, {}, { data: [] }, { data: [{}] }, { data: [{ b64_json: '' }] }])(
    '%j is an invalid answer',
    (body) => {
      expect(kindOf(openaiImages, body)).toBe('upstream_invalid_answer');
    },
  );

  const drawn = 'It was blocked by our safety system.';

  test.each<[string, unknown, string, string | null]>([
    [
      'OpenAI’s code',
      { code: 'moderation_blocked', message: 'No.' },
      'upstream_content_policy',
      'moderation_blocked',
    ],
    [
      'another code',
      { code: 'content_policy_violation' },
      'upstream_content_policy',
      'content_policy_violation',
    ],
    [
      'Azure’s code',
      { code: 'contentFilter', message: 'No.' },
      'upstream_content_policy',
      'content_policy_violation',
    ],
    ['a sentence', { code: 'bad', message: drawn }, 'upstream_content_policy', 'content_policy_violation'],
    [
      'xAI’s sentence',
      'Rejected by content moderation.',
      'upstream_content_policy',
      'content_policy_violation',
    ],
    [
      'a code that begins alike',
      { code: 'contentFilters', message: 'No.' },
      'upstream_bad_request',
      'contentFilters',
    ],
    ['anything else', { code: 'invalid_size', message: 'No.' }, 'upstream_bad_request', 'invalid_size'],
  ])('a refusal by %s', (_, error, kind, code) => {
    expect(openaiImages.readFailure(failure(400, error))).toMatchObject({ kind, code, upstreamStatus: 400 });
  });

  test('no refusal is what our key or the host is to blame for', () => {
    expect(openaiImages.readFailure(failure(401, { message: drawn })).kind).toBe('upstream_credentials');
    expect(openaiImages.readFailure(failure(500, { message: drawn })).kind).toBe('upstream_failed');
    expect(openaiImages.readFailure({ status: 502, headers: {}, body: '<html>' }).kind).toBe(
      'upstream_failed',
    );
  });

  test('an error inside a 200 is read likewise', () => {
    expect(kindOf(openaiImages, { data, error: { code: 'bad_request', message: drawn } })).toBe(
      'upstream_content_policy',
    );
    expect(kindOf(openaiImages, { error: { code: 'rate_limit_exceeded' } })).toBe('upstream_rate_limited');
  });
});

describe('xAI', () => {
  test.each([{ data: [] }, { data: [{}] }, { data: [{ b64_json: '' }], error: null }])(
    '%j was blocked by moderation',
    (body) => {
      expect(kindOf(xaiImages, body)).toBe('upstream_content_policy');
    },
  );

  test.each([undefined, {}, { data: 'none' }, { data: [{ url: 'https://a.example/' }] }])(
    '%j is an invalid answer',
    (body) => {
      expect(kindOf(xaiImages, body)).toBe('upstream_invalid_answer');
    },
  );

  test('what is not blocked is decoded as OpenAI’s', () => {
    expect(decode(xaiImages, { data: [{}, { b64_json: 'AAAA' }] }).images).toStrictEqual([['AAAA']]);
    expect(kindOf(xaiImages, { data: [], error: { code: 'rate_limit_exceeded' } })).toBe(
      'upstream_rate_limited',
    );
  });
});

describe('Gemini', () => {
  const inline = (data: unknown, mimeType: unknown = 'image/png') => ({ inlineData: { data, mimeType } });
  const answer = (...parts: readonly object[]) => ({ candidates: [{ content: { parts } }] });

  test('an answer has the images that are no thoughts', () => {
    const body = answer({ ...inline('AAAA'), thought: true }, { text: 'Here.' }, inline('BBBB'), inline(''));
    expect(decode(googleImages, body)).toStrictEqual({
      images: [['BBBB']],
      usage: undefined,
      outputFormat: 'png',
    });
  });

  test.each(['', 7, 'text/png', 'image/svg+xml', 'image/x2', 'my image/png', 'image/abcdefghi'])(
    'a type of %j is none',
    (mimeType) => {
      expect(decode(googleImages, answer(inline('AAAA', mimeType)))).not.toHaveProperty('outputFormat');
    },
  );

  const usageOf = (usageMetadata: object) =>
    decode(googleImages, { ...answer(inline('AAAA')), usageMetadata }).usage;
  const counts = { promptTokenCount: 10, candidatesTokenCount: 100, thoughtsTokenCount: 30 };
  const modality = (name: string, tokenCount: number) => ({ modality: name, tokenCount });

  test.each<[string, object, object]>([
    [
      'without details: text, and an image',
      {},
      { inputTextTokens: 10, inputImageTokens: 0, outputTextTokens: 30, outputImageTokens: 100 },
    ],
    [
      'with details',
      {
        promptTokensDetails: [modality('TEXT', 6), modality('IMAGE', 4)],
        candidatesTokensDetails: [modality('TEXT', 20), modality('IMAGE', 50), modality('IMAGE', 30)],
      },
      { inputTextTokens: 6, inputImageTokens: 4, outputTextTokens: 50, outputImageTokens: 80 },
    ],
    [
      'with details above the counts',
      {
        promptTokensDetails: [modality('IMAGE', 40)],
        candidatesTokensDetails: [modality('IMAGE', 1000)],
      },
      { inputTextTokens: 0, inputImageTokens: 10, outputTextTokens: 0, outputImageTokens: 130 },
    ],
    [
      'with no image among the details',
      { candidatesTokensDetails: [modality('TEXT', 20)] },
      { inputTextTokens: 10, inputImageTokens: 0, outputTextTokens: 130, outputImageTokens: 0 },
    ],
  ])('a usage %s', (_, details, expected) => {
    const usage = { ...counts, ...details };
    expect(usageOf(usage)).toStrictEqual({
      inputTokens: 10,
      outputTokens: 130,
      ...expected,
      cachedTokens: 0,
      raw: [usage],
    });
    expect(googleImages.readUsage?.({ usageMetadata: usage })).toMatchObject(expected);
  });

  test.each<[unknown, string]>([
    [undefined, 'upstream_invalid_answer'],
    [answer({ text: 'No.' }), 'upstream_invalid_answer'],
    [answer({ ...inline('AAAA'), thought: true }), 'upstream_invalid_answer'],
    [{ candidates: [{ finishReason: 'STOP' }] }, 'upstream_invalid_answer'],
    [{ candidates: [{ finishReason: 'STOP' }, { finishReason: 'IMAGE_SAFETY' }] }, 'upstream_content_policy'],
    [{ promptFeedback: { blockReason: 'SAFETY' } }, 'upstream_content_policy'],
    [{ error: { code: 503, message: 'Busy' } }, 'upstream_overloaded'],
  ])('%j has no image', (body, kind) => {
    expect(kindOf(googleImages, body)).toBe(kind);
  });

  const encode = (parameters: object) =>
    googleImages.encode({ prompt: 'A fox', parameters }, testTarget()).generationConfig;

  test('a request has its prompt', () => {
    expect(googleImages.encode({ prompt: 'A fox', parameters: {} }, testTarget())).toStrictEqual({
      contents: [{ role: 'user', parts: [{ text: 'A fox' }] }],
      generationConfig: { responseModalities: ['IMAGE'] },
    });
  });

  test.each<[object, object]>([
    [{ output_format: 'jpeg' }, { imageConfig: { imageOutputOptions: { mimeType: 'image/jpeg' } } }],
    [{ output_compression: 60 }, { imageConfig: { imageOutputOptions: { compressionQuality: 60 } } }],
    [{ n: 1 }, {}],
  ])('encodes %j', (parameters, expected) => {
    expect(encode(parameters)).toStrictEqual({ responseModalities: ['IMAGE'], ...expected });
  });
});
