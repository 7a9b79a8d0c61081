/** Text completions between two texts: served where the model fills in, over a path of its own. */
import { expect, test } from 'vitest';
import { useWatchedGateway } from '../../harness/gateways/watched-gateway.ts';

const gateway = useWatchedGateway('mistral');

const model = 'mistral/codestral-latest';
const parts = { model, prompt: 'function add(a, b) {', suffix: '}' };
const ask = async (more: object = {}) => {
  const response = await gateway.post('/v1/completions', { ...parts, ...more });
  const text = await response.text();
  return { status: response.status, text, sent: gateway.take() };
};

test('both texts go to the model, with the parameters that this path takes', async () => {
  const more = { max_tokens: 50, stop: '\n\n', seed: 7, temperature: 0.1, echo: true };
  const { status, text, sent } = await ask(more);
  const { choices } = JSON.parse(text);
  expect([status, choices[0].text]).toEqual([200, expect.stringMatching(/^function add\(a, b\) \{./)]);
  expect(sent).toMatchObject([
    {
      path: '/fim/completions',
      body: {
        model: 'codestral-latest',
        prompt: parts.prompt,
        suffix: '}',
        max_tokens: 50,
        stop: ['\n\n'],
        random_seed: 7,
        temperature: 0.1,
      },
    },
  ]);
});

test('the answer may be streamed', async () => {
  const { status, text } = await ask({ stream: true });
  expect([status, text]).toEqual([200, expect.stringMatching(/"text_completion".*data: \[DONE\]\n\n$/s)]);
});

test('what this path does not take is left out on record', async () => {
  const more = {
    presence_penalty: 1,
    frequency_penalty: 1,
    user: 'u',
    logprobs: 1,
    extra: { debug: ['normalizations'] },
  };
  const { status, text } = await ask(more);
  const { normalizations } = JSON.parse(text).debug;
  expect([status, normalizations.map(({ param }: { param: string }) => param).sort()]).toEqual([
    200,
    ['frequency_penalty', 'logprobs', 'presence_penalty', 'user'],
  ]);
});

test('several choices are refused by name', async () => {
  const { status, text, sent } = await ask({ n: 2 });
  expect([status, JSON.parse(text).error.param, sent]).toEqual([400, 'n', []]);
});

test('a fallback that only continues a text is refused by its place', async () => {
  const { status, text, sent } = await ask({ extra: { fallbacks: ['openai/gpt-4.1'] } });
  expect([status, JSON.parse(text).error.param, sent]).toEqual([400, 'extra.fallbacks.0', []]);
});

test('without a suffix the same model is asked in chat', async () => {
  const { status, sent } = await ask({ suffix: null });
  expect([status, sent[0]?.path]).toEqual([200, '/chat/completions']);
});

test('another model refuses a suffix, also without normalization', async () => {
  for (const extra of [{}, { normalize: false }]) {
    const { status, text, sent } = await ask({ model: 'mistral/mistral-large-2512', extra });
    expect([status, JSON.parse(text).error.param, sent]).toEqual([400, 'suffix', []]);
  }
});
