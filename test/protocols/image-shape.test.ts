/** Image sizes in protocols that take an aspect ratio. */
import { expect, test } from 'vitest';
import { googleImages } from '../../lib/protocols/google-images/protocol.ts';
import { xaiImages } from '../../lib/protocols/xai-images/protocol.ts';
import { testTarget } from '../harness/matrix/model.ts';

test.each([
  ['1024x1024', { aspectRatio: '1:1' }, { aspect_ratio: '1:1' }],
  ['1536x1024', { aspectRatio: '3:2' }, { aspect_ratio: '3:2' }],
  ['1024x1536', { aspectRatio: '2:3' }, { aspect_ratio: '2:3' }],
  ['1792x1024', { aspectRatio: '16:9' }, { aspect_ratio: '16:9' }],
  ['2048x2048', { aspectRatio: '1:1', imageSize: '2K' }, { aspect_ratio: '1:1', resolution: '2k' }],
  ['6336x2688', { aspectRatio: '21:9', imageSize: '4K' }, { aspect_ratio: '20:9', resolution: '2k' }],
  ['2500x1000', { aspectRatio: '21:9', imageSize: '2K' }, { aspect_ratio: '20:9', resolution: '2k' }],
  ['2000x1000', { aspectRatio: '16:9' }, { aspect_ratio: '2:1', resolution: '2k' }],
  ['3000x3000', { aspectRatio: '1:1', imageSize: '4K' }, { aspect_ratio: '1:1', resolution: '2k' }],
  ['4000x100', { aspectRatio: '21:9' }, { aspect_ratio: '20:9' }],
  ['auto', undefined, { aspect_ratio: 'auto' }],
  ['0x1024', undefined, { aspect_ratio: '0x1024' }],
  ['1024x0', undefined, { aspect_ratio: '1024x0' }],
  ['a 2x3', undefined, { aspect_ratio: 'a 2x3' }],
  ['2x3.5', undefined, { aspect_ratio: '2x3.5' }],
  [undefined, undefined, {}],
])('%s', (size, gemini, grok) => {
  const request = { prompt: 'A fox', parameters: size === undefined ? {} : { size } };
  const { generationConfig } = googleImages.encode(request, testTarget());
  expect(generationConfig).toStrictEqual({
    responseModalities: ['IMAGE'],
    ...(gemini && { imageConfig: gemini }),
  });
  expect(xaiImages.encode(request, testTarget())).toStrictEqual({
    model: 'one',
    prompt: 'A fox',
    response_format: 'b64_json',
    ...grok,
  });
});

test('a size without an equivalent is sent under its public name, so that the provider rejects it', () => {
  const request = { prompt: 'A fox', parameters: { quality: 'high', background: 'opaque', n: 2 } as const };
  expect(googleImages.encode(request, testTarget()).generationConfig).toMatchObject({
    candidateCount: 2,
    quality: 'high',
    background: 'opaque',
  });
  expect(xaiImages.encode(request, testTarget())).toMatchObject({
    quality: 'high',
    background: 'opaque',
    n: 2,
  });
});
