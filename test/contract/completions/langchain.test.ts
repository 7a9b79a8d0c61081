/** LangChain's client for text completions, which sends its prompt in a list. */
import { OpenAI } from '@langchain/openai';
import { expect, test } from 'vitest';
import { useGateway } from '../../harness/gateways/use-gateway.ts';

const gateway = useGateway();

const model = () =>
  new OpenAI({
    model: 'anthropic/claude-haiku-4-5',
    apiKey: gateway().apiKey,
    configuration: { baseURL: `${gateway().url}/v1` },
    maxRetries: 0,
  });

test('completes a text', async () => {
  expect(await model().invoke('Once upon a time')).toContain('sandbox');
});

test('completes a text in a stream', async () => {
  const parts = await Array.fromAsync(await model().stream('Once upon a time'));
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.join('')).toContain('sandbox');
});
