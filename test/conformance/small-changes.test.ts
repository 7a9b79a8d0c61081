/** Small changes of a request, and what is told of them: each once, none of what the gateway adds, and no silence. */
import { describe, expect, test } from 'vitest';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const gateway = useWatchedGateway();
const haiku = 'anthropic/claude-haiku-4-5';
const debug = { debug: ['normalizations'] };
const messages = [{ role: 'user', content: 'Hello.' }];
const parameters = { type: 'object', properties: { city: { type: 'string' } } };

async function post(path: string, body: object) {
  gateway.take();
  const response = await gateway.post(path, { extra: debug, ...body });
  const answer = Object(await response.json());
  const sent = Object(gateway.take()[0]?.body);
  const count = response.headers.get('x-gateway-normalizations');
  return { status: response.status, error: answer.error, changes: answer.debug?.normalizations, count, sent };
}

const chat = (body: object) => post('/v1/chat/completions', { messages, ...body });
const responses = (body: object) => post('/v1/responses', { input: 'Hello.', ...body });

test('what the gateway adds of its own is on record, and not counted in the header', async () => {
  const tools = [{ type: 'function', function: { name: 'look', parameters } }];
  const plain = await chat({ model: haiku, tools });
  expect(plain.changes).toMatchObject([{ param: 'cache_control', action: 'add' }]);
  expect(plain.count).toBeNull();
  const changed = await chat({ model: haiku, tools, seed: 7 });
  expect(changed.count).toBe('1');
});

test.each(['0s', '0m', '0.0h', '00s'])('a lifetime of %s is refused', async (ttl) => {
  const cached = [{ role: 'user', content: 'Hello.', cache_control: { type: 'ephemeral', ttl } }];
  const { status, error } = await chat({ model: haiku, messages: cached });
  expect([status, error.param]).toEqual([400, 'messages.0.cache_control.ttl']);
  const shortest = [{ role: 'user', content: 'Hello.', cache_control: { type: 'ephemeral', ttl: '0.5s' } }];
  expect((await chat({ model: haiku, messages: shortest })).status).toBe(200);
});

test('log probabilities that are left out are one record, which names the field that asked for them', async () => {
  const top = await responses({ model: haiku, top_logprobs: 3 });
  expect(top.changes).toEqual([expect.objectContaining({ param: 'top_logprobs', before: 3, after: null })]);
  const include = ['reasoning.encrypted_content', 'message.output_text.logprobs'];
  const included = await responses({ model: haiku, include });
  expect(included.changes).toEqual([expect.objectContaining({ param: 'include.1', action: 'strip' })]);
});

test('the type that a text has anyway is no change', async () => {
  const model = 'openai/text-embedding-3-small';
  const asked = (input_type: string) =>
    post('/v1/embeddings', { model, input: 'Apple', extra: { ...debug, input_type } });
  const document = await asked('document');
  expect([document.status, document.count]).toEqual([200, null]);
  expect((await asked('query')).count).toBe('1');
});

describe('a function without strict', () => {
  const flat = { type: 'function', name: 'look', parameters };
  test.each([
    [undefined, undefined],
    [false, false],
  ])('is left to OpenAI on Responses, where strict %j goes as it is', async (strict, sent) => {
    const given = { ...flat, ...(strict !== undefined && { strict }) };
    const answer = await responses({ model: 'openai/gpt-5.5', tools: [given] });
    expect([answer.status, answer.sent.tools[0].strict]).toEqual([200, sent]);
  });

  test('is not strict in chat, also over the Responses protocol', async () => {
    const tools = [{ type: 'function', function: { name: 'look', parameters } }];
    const { status, sent } = await chat({ model: 'openai/gpt-5.5', tools, reasoning_effort: 'high' });
    expect([status, sent.tools[0].strict ?? false]).toEqual([200, false]);
  });
});

describe('a thinking budget of Gemini 2.5', () => {
  test.each([
    ['google/gemini-2.5-flash', 'high', 9000, 'medium', 8192],
    ['google/gemini-2.5-flash', 'high', 100, 'none', 0],
    ['google/gemini-2.5-pro', 'high', 2000, 'low', 1024],
  ])(
    '%s: of effort %s and %i tokens is made smaller, on record',
    async (model, effort, limit, after, budget) => {
      const body = { model, reasoning_effort: effort, max_completion_tokens: limit };
      const { status, sent, changes } = await chat(body);
      expect([status, sent.generationConfig.thinkingConfig.thinkingBudget]).toEqual([200, budget]);
      expect(changes).toEqual([
        expect.objectContaining({ param: 'reasoning_effort', before: effort, after }),
      ]);
    },
  );

  test('that fits, or cannot be smaller, stays', async () => {
    const fits = await chat({
      model: 'google/gemini-2.5-flash',
      reasoning_effort: 'high',
      max_tokens: 30_000,
    });
    expect([fits.sent.generationConfig.thinkingConfig.thinkingBudget, fits.count]).toEqual([24_576, null]);
    const lowest = await chat({
      model: 'google/gemini-2.5-pro',
      reasoning_effort: 'minimal',
      max_tokens: 100,
    });
    expect([lowest.status, lowest.count]).toEqual([200, null]);
  });
});

test('Mistral gets metadata', async () => {
  const { status, changes } = await chat({ model: 'mistral/mistral-large-2512', metadata: { team: 'blue' } });
  expect([status, changes]).toEqual([200, []]);
});
