/** The playground: what it sends, its streams and code, and the models that the URL names. */
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { type Answered, ask, readEvents } from '../../dashboard/pages/playground/answer.ts';
import { codeFor } from '../../dashboard/pages/playground/code-for.ts';
import { bodyOf, noSettings } from '../../dashboard/pages/playground/conversation.ts';
import { modelsIn } from '../../dashboard/pages/playground/models-in.ts';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const gateway = useWatchedGateway();

const models = {
  small: { id: 'openai/gpt-4.1', efforts: [], takesImages: true },
  reasons: { id: 'openai/gpt-5.5', efforts: ['low', 'high'], takesImages: true },
} as const;
const first = { prompt: 'Hello', image: '' };

let refused = 0;

async function answerTo(body: object, dryRun = false, key = gateway.apiKey): Promise<Answered> {
  const shown: Answered[] = [];
  const { signal } = new AbortController();
  const url = `${gateway.url}/v1/chat/completions`;
  const onKeyRefused = () => {
    refused += 1;
  };
  await ask({ url, key, body, dryRun, signal, onKeyRefused }, (now) => shown.push(now));
  return shown.at(-1) ?? never('Nothing was shown.');
}

const never = (problem: string) => {
  throw new Error(problem);
};

test('a dry run shows what would be sent, and what it would cost at most', async () => {
  const { state, text, cost, completionTokens, requestId } = await answerTo(
    bodyOf(models.small, { ...noSettings, max_tokens: '9' }, [], first),
    true,
  );
  expect([state, completionTokens, requestId]).toEqual(['done', 0, undefined]);
  expect(JSON.parse(text)).toMatchObject({ highest_cost: cost, sent: { max_completion_tokens: 9 } });
  expect(gateway.take()).toEqual([]);
});

test('a key that works no longer is reported, so that the next prompt gets another one', async () => {
  const { state } = await answerTo(bodyOf(models.small, noSettings, [], first), false, 'mgw_none');
  expect([state, refused]).toEqual(['failed', 1]);
});

const tools = [
  {
    type: 'function',
    function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  },
];

test('settings, calls of tools, what they returned and an image reach the provider, and the request is named', async () => {
  const settings = { ...noSettings, system: 'Be brief.', temperature: '0.5', tools: JSON.stringify(tools) };
  const asked = { prompt: 'sandbox call weather {"city":"Oslo"}', image: '' };
  const called = await answerTo(bodyOf(models.small, settings, [], asked));
  expect(called).toMatchObject({
    state: 'done',
    toolCalls: [{ name: 'weather', arguments: '{"city":"Oslo"}' }],
  });
  expect(called.requestId).toMatch(/\w{8}/);
  expect(gateway.take()[0]?.body).toMatchObject({
    temperature: 0.5,
    tools,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: asked.prompt },
    ],
  });

  const before = { tenant: 'local', isDry: false, image: '' };
  const turns = [
    { ...before, prompt: asked.prompt, answers: { [models.small.id]: called } },
    {
      ...before,
      prompt: 'It failed.',
      answers: { [models.small.id]: { ...called, state: 'failed' as const } },
    },
    { ...before, prompt: 'Dry.', isDry: true, answers: { [models.small.id]: called } },
    { ...before, prompt: 'Of another model.', answers: {} },
  ];
  const image = 'data:image/png;base64,iVBORw0KGgo=';
  const answered = await answerTo(bodyOf(models.small, settings, turns, { prompt: '12 degrees', image }));
  expect(answered).toMatchObject({ state: 'done', toolCalls: [] });
  expect(answered.text).not.toBe('');
  const [call] = called.toolCalls;
  expect(gateway.take()[0]?.body).toHaveProperty('messages', [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: asked.prompt },
    expect.objectContaining({
      role: 'assistant',
      tool_calls: [
        expect.objectContaining({ id: call?.id, function: expect.objectContaining({ name: 'weather' }) }),
      ],
    }),
    { role: 'tool', tool_call_id: call?.id, content: '12 degrees' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] },
  ]);
});

test('an effort is for the models that reason, and a setting that cannot be read is named', () => {
  const settings = { ...noSettings, reasoning_effort: 'low' };
  expect(bodyOf(models.reasons, settings, [], first)).toHaveProperty('reasoning_effort', 'low');
  expect(bodyOf(models.small, settings, [], first)).not.toHaveProperty('reasoning_effort');
  const fields = [{ tools: '{' }, { tools: '{}' }, { temperature: 'warm' }, { max_tokens: '1e999' }].map(
    (wrong) => {
      try {
        return bodyOf(models.small, { ...noSettings, ...wrong }, [], first);
      } catch (thrown) {
        return (thrown as { readonly param?: string }).param;
      }
    },
  );
  expect(fields).toEqual(['tools', 'tools', 'temperature', 'max_tokens']);
});

test('its code in curl, Python and TypeScript asks for the same', async () => {
  const prompt = `It's "quoted" with $HOME, \\ and \n two lines: END`;
  const settings = {
    ...noSettings,
    system: 'Be brief.',
    tools: JSON.stringify([{ ...tools[0], strict: true }]),
  };
  const body = bodyOf(models.small, { ...settings, tools: '[]' }, [], { prompt, image: '' });
  const baseUrl = `${gateway.url}/v1`;
  const [curl, , typescript] = codeFor(body, baseUrl);
  expect(JSON.parse(curl?.text.split("<<'END'\n")[1]?.replace(/\nEND$/, '') ?? '')).toEqual(body);
  const [, python] = codeFor(bodyOf(models.small, settings, [], first), baseUrl);
  expect(python?.text).toContain(
    '    max_completion_tokens=1000,\n    tools=[\n        {\n            "type": "function",',
  );
  expect(python?.text).toContain('"strict": True,');

  const run = new AsyncFunction('OpenAI', 'env', 'console', typescript?.text.replaceAll(/^import.*$/gm, ''));
  await run(OpenAI, { GATEWAY_API_KEY: gateway.apiKey }, { log: () => {} });
  expect(gateway.take()[0]?.body).toMatchObject({ messages: body.messages, max_completion_tokens: 1000 });
});

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

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
  const ids = ['a/1', 'a/2', 'a/3', 'a/4', 'openai/gpt-5.5'];

  test.each([
    ['a/2,a/1', ['a/2', 'a/1']],
    ['a/1,a/1,b/9,a/2', ['a/1', 'a/2']],
    ['a/1,a/2,a/3,a/4', ['a/1', 'a/2', 'a/3']],
    ['', ['openai/gpt-5.5']],
    [null, ['openai/gpt-5.5']],
  ])('of the URL, %j, are at most three that exist', (named, expected) => {
    expect(modelsIn(named, ids)).toEqual(expected);
  });

  test('without usual ones are the first', () => {
    expect(modelsIn(null, ['a/1', 'a/2'])).toEqual(['a/1']);
    expect(modelsIn(null, [])).toEqual([]);
  });
});
