/** Vercel's AI SDK generates images with every provider that can, with its providers for OpenAI and for compatible APIs. */
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateImage, type ImageModel } from 'ai';
import { beforeAll, describe, expect, test } from 'vitest';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { addImageModels, imageRows, lookAt } from '../../harness/matrix/images.ts';

const gateway = useGateway();
beforeAll(() => addImageModels());

const settings = () => ({ baseURL: `${gateway().url}/v1`, apiKey: gateway().apiKey });

const makers: Readonly<Record<string, (model: string) => ImageModel>> = {
  openai: (model) => createOpenAI(settings()).image(model),
  'openai-compatible': (model) =>
    createOpenAICompatible({ ...settings(), name: 'gateway' }).imageModel(model),
};

describe.each(Object.entries(makers))('with the provider for %s', (_, imageModel) => {
  test.each(imageRows)('$provider', async (row) => {
    const { images } = await generateImage({
      model: imageModel(row.model),
      prompt: 'A harbour in the morning',
      n: 2,
      size: '1024x1024',
      maxRetries: 0,
    });
    const seen = images.map(({ base64 }) => lookAt(base64));
    expect(seen).toEqual([row, row].map(({ format }) => ({ format, size: '1024x1024' })));
  });
});
