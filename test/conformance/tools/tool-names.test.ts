/** Tools whose names a provider refuses are sent under others; the caller sees only the names that it gave. */
import { describe, expect, test } from 'vitest';
import { readChatStream } from '../../harness/chat-stream.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { providerRows } from '../../harness/matrix/providers.ts';

const gateway = useGateway();

interface Answer {
  readonly choices: readonly { readonly message: { readonly tool_calls?: readonly (typeof call)[] } }[];
  readonly debug: { readonly normalizations: readonly { readonly param: string; readonly after: unknown }[] };
}

const names = ['mcp.server:do-it', `long_${'name_'.repeat(20)}`];

const tools = names.map((name) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}));

const call = { id: 'call_1', type: 'function', function: { name: names[0], arguments: '{"city":"Oslo"}' } };

const messages = [
  { role: 'user', content: 'Go on.' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'call_1', content: 'Done.' },
  { role: 'assistant', content: 'It is done.' },
  { role: 'user', content: `sandbox call ${names[0]} and sandbox call ${names[1]}` },
];

const extra = { debug: ['normalizations'] };

const callsOf = ({ choices }: Answer) => choices[0]?.message.tool_calls ?? [];

/** Models that can be forced to call a tool; these of Qwen and Kimi cannot. */
const forced = providerRows.filter(
  ({ provider, tools: support }) =>
    support === 'as-required' && provider !== 'alibaba' && provider !== 'moonshot',
);

describe.each(forced)('$provider', ({ model }) => {
  const body = { model, messages, tools, extra, tool_choice: 'required' };

  test('a body has the names of the caller, and a record of each that was changed', async () => {
    const response = await gateway().post('/v1/chat/completions', body);
    const answer = (await response.json()) as Answer;
    expect(response.status, JSON.stringify(answer)).toBe(200);
    const called = callsOf(answer).map((one) => one.function.name);
    expect(called.length).toBeGreaterThan(0);
    expect(names).toEqual(expect.arrayContaining(called));
    const changed = answer.debug.normalizations.filter(({ param }) => param.endsWith('function.name'));
    expect(changed).toMatchObject([
      { param: 'tools.0.function.name', action: 'override', before: names[0] },
      { param: 'tools.1.function.name', action: 'override', before: names[1] },
    ]);
    for (const { after } of changed) expect(after).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  test('a stream has them too', async () => {
    const response = await gateway().post('/v1/chat/completions', { ...body, stream: true });
    const { choices } = readChatStream(await response.text());
    const called = choices.get(0)?.calls.map(({ name }) => name) ?? [];
    expect(called.length).toBeGreaterThan(0);
    expect(names).toEqual(expect.arrayContaining(called));
  });
});

test('a choice of one tool follows its name', async () => {
  const response = await gateway().post('/v1/chat/completions', {
    model: 'anthropic/claude-haiku-4-5',
    messages: [{ role: 'user', content: 'Go on.' }],
    tools,
    tool_choice: { type: 'function', function: { name: names[1] } },
  });
  const answer = (await response.json()) as Answer;
  expect(callsOf(answer)).toMatchObject([{ function: { name: names[1] } }]);
});

test('a choice of one tool of a namespace follows its name', async () => {
  const { parameters } = tools[0]?.function ?? {};
  const response = await gateway().post('/v1/responses', {
    model: 'anthropic/claude-haiku-4-5',
    input: 'Go on.',
    tools: [
      {
        type: 'namespace',
        name: 'clock',
        description: 'A clock.',
        tools: [{ type: 'function', name: 'now', parameters }],
      },
      { type: 'function', name: 'other', parameters },
    ],
    tool_choice: { type: 'function', name: 'now' },
  });
  const { output } = (await response.json()) as { readonly output: readonly object[] };
  expect(output).toMatchObject([{ type: 'function_call', namespace: 'clock', name: 'now' }]);
});

test('names that every provider takes are left alone', async () => {
  const response = await gateway().post('/v1/chat/completions', {
    model: 'openai/gpt-4.1',
    messages: [{ role: 'user', content: 'Go on.' }],
    tools: [{ type: 'function', function: { name: 'get_weather-2' } }],
    tool_choice: 'required',
  });
  expect(response.headers.get('x-gateway-normalizations')).toBe(null);
});
