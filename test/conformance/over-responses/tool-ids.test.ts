/** Ids of tool calls: long ones of callers are shortened alike in call and result, and the gateway's own are short. */
import { expect, test } from 'vitest';
import { useWatchedGateway } from '../../harness/gateways/watched-gateway.ts';

const azure = 'openai/gpt-4.1:azure';
const gateway = useWatchedGateway(azure);

const tools = ['weather', 'time'].map((name) => ({ type: 'function', function: { name } }));
const question = { role: 'user', content: 'Use both tools: sandbox call weather, sandbox call time' };
/** Alike in their first characters, as ids with a signature in them are. */
const ids = ['a', 'b'].map((end) => `call_${'x'.repeat(117)}${end}`);

const history = (own: readonly string[]) => [
  question,
  {
    role: 'assistant',
    content: null,
    tool_calls: own.map((id, index) => {
      return { id, type: 'function', function: { name: tools[index]?.function.name, arguments: '{}' } };
    }),
  },
  ...own.map((id) => ({ role: 'tool', tool_call_id: id, content: 'Fine.' })),
];

async function ask(model: string, messages: readonly object[], more: object = {}) {
  gateway.take();
  const response = await gateway.post('/v1/chat/completions', { model, messages, tools, ...more });
  const body = JSON.parse(await response.text());
  return { status: response.status, body, upstream: Object(gateway.take()[0]?.body) };
}

const callsOf = ({ messages, input }: Record<string, readonly Record<string, unknown>[]>) => {
  const calls = messages?.flatMap(({ tool_calls = [] }) => tool_calls as { id: string }[]) ?? [];
  const results = messages?.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [String(id)])) ?? [];
  const items = (type: string) =>
    input?.filter((item) => item.type === type).map(({ call_id: id }) => String(id)) ?? [];
  return {
    calls: [...calls.map(({ id }) => id), ...items('function_call')],
    results: [...results, ...items('function_call_output')],
  };
};

test.each([
  ['openai/gpt-4.1', 40],
  [azure, 40],
  ['openai/gpt-5.5', 64],
])('%s gets ids of 123 characters in at most %i', async (model, max) => {
  const { status, upstream } = await ask(model, history(ids));
  expect(status).toBe(200);
  const { calls, results } = callsOf(upstream);
  expect(calls).toEqual(results);
  expect(new Set(calls).size).toBe(2);
  for (const id of calls) expect(id.length).toBeLessThanOrEqual(max);
  expect(callsOf((await ask(model, history(ids))).upstream).calls).toEqual(calls);
});

test('ids of 40 characters stay as they are', async () => {
  const short = ids.map((id) => id.slice(-40));
  const { upstream } = await ask('openai/gpt-4.1', history(short));
  expect(callsOf(upstream).calls).toEqual(short);
});

test('ids of Gemini’s calls, which have none, fit into chat at OpenAI', async () => {
  const { body } = await ask('google/gemini-2.5-flash', [question], { tool_choice: 'required' });
  const [{ message }] = body.choices;
  for (const { id } of message.tool_calls) expect(id).toMatch(/^call_[0-9a-f]{32}$/);
  const own = message.tool_calls.map(({ id }: { id: string }) => id);
  expect(callsOf((await ask('openai/gpt-4.1', history(own))).upstream).calls).toEqual(own);
});
