/** The playground: its streams, and the models that the URL names. */
import { describe, expect, test } from 'vitest';
import { type Answered, ask, readEvents } from '../../dashboard/pages/playground/answer.ts';
import { modelsIn } from '../../dashboard/pages/playground/models-in.ts';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const gateway = useWatchedGateway();

test('a dry run shows what would be sent, and what it would cost at most', async () => {
  const shown: Answered[] = [];
  const { url, apiKey: key } = gateway;
  const asked = { model: 'openai/gpt-4.1', prompt: 'Hello', maxTokens: 9, dryRun: true };
  const { signal } = new AbortController();
  await ask({ ...asked, url: `${url}/v1/chat/completions`, key, signal }, (now) => shown.push(now));
  const { state, text, cost, completionTokens } = shown.at(-1) ?? {};
  expect([state, completionTokens]).toEqual(['done', 0]);
  expect(JSON.parse(text ?? '')).toMatchObject({ highest_cost: cost, sent: { max_completion_tokens: 9 } });
  expect(gateway.take()).toEqual([]);
});

const streamOf = (text: string, size: number) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      const bytes = new TextEncoder().encode(text);
      for (let index = 0; index < bytes.length; index += size)
        controller.enqueue(bytes.slice(index, index + size));
      controller.close();
    },
  });

describe('events of a stream', () => {
  test.each([1, 2, 3, 7, 1_000])('are read whole in pieces of %i bytes', async (size) => {
    const text = ': ping\n\ndata: {"a":"äö€"}\r\n\r\nevent: x\ndata:{"b":2}\n\ndata: [DONE]\n\n';
    expect(await Array.fromAsync(readEvents(streamOf(text, size)))).toEqual([
      '{"a":"äö€"}',
      '{"b":2}',
      '[DONE]',
    ]);
  });

  test('without a last line are all there', async () => {
    expect(await Array.fromAsync(readEvents(streamOf('data: 1\n\ndata: 2', 4)))).toEqual(['1', '2']);
  });

  test('that have no end are given up', async () => {
    await expect(
      Array.fromAsync(readEvents(streamOf(`data: ${'x'.repeat(4_100_000)}`, 100_000))),
    ).rejects.toThrow('without an end');
  });
});

describe('models', () => {
  const models = ['a/1', 'a/2', 'a/3', 'a/4', 'openai/gpt-5.5'];

  test.each([
    ['a/2,a/1', ['a/2', 'a/1']],
    ['a/1,a/1,b/9,a/2', ['a/1', 'a/2']],
    ['a/1,a/2,a/3,a/4', ['a/1', 'a/2', 'a/3']],
    ['', ['openai/gpt-5.5']],
    [null, ['openai/gpt-5.5']],
  ])('of the URL, %j, are at most three that exist', (named, expected) => {
    expect(modelsIn(named, models)).toEqual(expected);
  });

  test('without usual ones are the first', () => {
    expect(modelsIn(null, ['a/1', 'a/2'])).toEqual(['a/1']);
    expect(modelsIn(null, [])).toEqual([]);
  });
});
