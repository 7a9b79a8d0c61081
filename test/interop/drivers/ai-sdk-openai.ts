/** Vercel's AI SDK with its provider for OpenAI: the Responses API. */
import { createOpenAI } from '@ai-sdk/openai';
import { ToolLoopAgent } from 'ai';
import { driveAiSdk } from './ai-sdk.ts';
import { apiKey, baseUrl, expectIn, operation } from './driver.ts';

const openai = createOpenAI({ baseURL: baseUrl, apiKey });

await driveAiSdk(
  (model) => openai(model),
  (model) => openai.embeddingModel(model),
);

await operation('extras', async (model) => {
  const agent = new ToolLoopAgent({ model: openai(model), instructions: 'Be brief.' });
  expectIn('zebra', (await agent.generate({ prompt: 'Say zebra.' })).text);
});

await operation('extras', async (model) => {
  const agent = new ToolLoopAgent({ model: openai.chat(model), instructions: 'Be brief.' });
  expectIn('zebra', (await agent.generate({ prompt: 'Say zebra.' })).text);
});
