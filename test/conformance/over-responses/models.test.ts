/** Which chat requests go to OpenAI's chat endpoint, and which over the Responses protocol. The sandbox refuses what OpenAI refuses. */
import { describe, expect, test } from 'vitest';
import { useWatchedGateway } from '../../harness/gateways/watched-gateway.ts';

const gateway = useWatchedGateway();

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [{ type: 'function', function: { name: 'weather', parameters: city } }];
const messages = [{ role: 'user', content: 'Use the tool.' }];
const required = { tools, tool_choice: 'required' };

async function ask(model: string, more: object = {}) {
  gateway.take();
  const extra = { debug: ['normalizations'] };
  const response = await gateway.post('/v1/chat/completions', { model, messages, extra, ...more });
  const body = JSON.parse(await response.text());
  const sent = gateway.take().map(({ path, body: upstream }) => ({ path, body: Object(upstream) }));
  return { status: response.status, body, sent, changes: body.debug?.normalizations ?? [] };
}

const withoutNone = ['gpt-6-astra'];
const reasoners = ['gpt-6-sol', 'gpt-6-luna', 'gpt-5.6-sol', 'gpt-5.6-terra', 'gpt-5.6-luna', 'gpt-5.5'];
const onRequest = ['gpt-5.4', 'gpt-5.4-mini', 'gpt-5.4-nano', 'gpt-5.2'];
const onlyResponses = ['gpt-5.5-pro', 'gpt-5.3-codex'];

describe.each([...withoutNone, ...reasoners, ...onRequest, ...onlyResponses])('%s', (name) => {
  const model = `openai/${name}`;

  test.each([
    ['an effort', { reasoning_effort: 'high' }, 'high'],
    ['another effort', { reasoning_effort: 'xhigh' }, 'xhigh'],
    ['an effort in its object', { reasoning: { effort: 'high' } }, 'high'],
    ['a number of tokens', { reasoning: { max_tokens: 20_000 } }, 'high'],
  ])('calls a tool with %s, which is kept', async (_, asked, effort) => {
    const { status, body, sent } = await ask(model, { ...required, ...asked });
    expect(status).toBe(200);
    expect(body.choices[0].message.tool_calls[0].function.name).toBe('weather');
    expect(sent.map(({ path }) => path)).toEqual(['/responses']);
    expect(sent[0]?.body.reasoning.effort).toBe(effort);
  });

  test('calls a tool without an effort', async () => {
    const { status, body, sent, changes } = await ask(model, required);
    expect(status).toBe(200);
    expect(body.choices[0].finish_reason).toBe('tool_calls');
    expect(sent.map(({ path }) => path)).toEqual([
      onRequest.includes(name) ? '/chat/completions' : '/responses',
    ]);
    expect(JSON.stringify(changes)).not.toContain('reasoning_effort');
  });

  test('answers a plain request, as its row says', async () => {
    const { status, sent, changes } = await ask(model);
    expect(status).toBe(200);
    const isChat = !onlyResponses.includes(name);
    expect(sent.map(({ path }) => path)).toEqual([isChat ? '/chat/completions' : '/responses']);
    if (isChat) expect(changes).toEqual([]);
  });
});

test.each(reasoners)('%s reasons as hard as asked: the effort is above what chat takes', async (name) => {
  if (name === 'gpt-5.5') return;
  const { status, sent } = await ask(`openai/${name}`, { reasoning_effort: 'max' });
  expect([status, sent[0]?.path, sent[0]?.body.reasoning]).toEqual([
    200,
    '/responses',
    { effort: 'max', summary: 'auto' },
  ]);
});

describe('several choices, which only chat has', () => {
  test.each(reasoners)('%s gives them with tools and without reasoning, which is reported', async (name) => {
    const { status, body, sent, changes } = await ask(`openai/${name}`, { ...required, n: 2 });
    expect([status, body.choices.length, sent[0]?.path]).toEqual([200, 2, '/chat/completions']);
    expect(changes).toMatchObject([{ param: 'reasoning_effort', action: 'add', after: 'none' }]);
  });

  test('come with the highest effort of chat, which is reported', async () => {
    const asked = { n: 2, reasoning_effort: 'max' };
    const { status, sent, changes } = await ask('openai/gpt-6-astra', asked);
    expect([status, sent[0]?.body.reasoning_effort]).toEqual([200, 'xhigh']);
    expect(changes).toMatchObject([{ param: 'reasoning_effort', before: 'max', after: 'xhigh' }]);
  });

  test.each(['gpt-6-astra', ...onlyResponses])('are refused by name for tools of %s', async (name) => {
    const { status, body, sent } = await ask(`openai/${name}`, { ...required, n: 2 });
    expect([status, body.error.param, sent]).toEqual([400, 'n', []]);
  });
});

test('a model without reasoning keeps its tools on chat', async () => {
  const { status, sent } = await ask('openai/gpt-4.1', required);
  expect([status, sent.map(({ path }) => path)]).toEqual([200, ['/chat/completions']]);
});

test.each(onlyResponses)('the model list says that %s serves chat', async (name) => {
  const { data } = JSON.parse(await (await gateway.fetch('/v1/models')).text());
  const row = data.find(({ id }: { id: string }) => id === `openai/${name}`);
  expect(row.endpoints).toEqual(['chat_completions', 'messages', 'responses']);
});

test('a summary that is asked for comes with any request', async () => {
  const { status, body, sent } = await ask('openai/gpt-5.5', { reasoning: { summary: 'auto' } });
  expect([status, sent[0]?.path]).toEqual([200, '/responses']);
  expect(body.choices[0].message.reasoning_content).toBeTruthy();
});
