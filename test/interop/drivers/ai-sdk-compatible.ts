/** Vercel's AI SDK with its provider for OpenAI-compatible hosts: chat completions. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateImage, generateText } from 'ai';
import { driveAiSdk } from './ai-sdk.ts';
import { apiKey, baseUrl, expectEqual, expectIn, operation } from './driver.ts';

const gateway = createOpenAICompatible({
  name: 'gateway',
  baseURL: baseUrl,
  apiKey,
  supportsStructuredOutputs: true,
});

await driveAiSdk(
  (model) => gateway(model),
  (model) => gateway.embeddingModel(model),
);

await operation('extras', async (model) => {
  const result = await generateText({
    model: gateway(model),
    prompt: 'Say zebra.',
    providerOptions: { gateway: { reasoningEffort: 'low', textVerbosity: 'low' } },
  });
  expectIn('zebra', result.text);
});

await operation(
  'extras',
  async (model) => {
    const { images } = await generateImage({ model: gateway.imageModel(model), prompt: 'A zebra.' });
    expectEqual(images.length, 1);
  },
  ['google/gemini-3.1-flash-image'],
);
