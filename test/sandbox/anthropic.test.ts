/** The sandbox in the Anthropic protocol. */
import { describe, expect, test } from 'vitest';
import { bothCalls, readSse, useSandbox, weatherSample, weatherSchema } from './client.ts';

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: object;
}

interface Message {
  readonly content: readonly Block[];
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
  readonly usage: { readonly output_tokens: number; readonly output_tokens_details: object };
}

interface Event {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: Block;
  readonly delta?: Block & { readonly partial_json?: string };
}

const user = (content: unknown) => ({ role: 'user', content });
const request = { model: 'claude-sonnet-4-5', max_tokens: 4_000, messages: [user('Hello, sandbox')] };
const weather = { name: 'get_weather', input_schema: weatherSchema };
const time = { name: 'get_time', input_schema: { type: 'object', properties: {} } };
const budget = { type: 'enabled', budget_tokens: 1_024 };

describe('the Anthropic sandbox', () => {
  const clientOf = useSandbox();
  const headers = { 'x-api-key': 'sandbox', 'anthropic-version': '2023-06-01' };
  const post = clientOf('/anthropic/v1', headers);
  const complete = async (fields: object) =>
    (await (await post('/messages', { ...request, ...fields })).json()) as Message;
  const stream = async (fields: object) => {
    const response = await post('/messages', { ...request, ...fields, stream: true });
    return readSse<Event>(await response.text());
  };
  const refusal = async (fields: object) => {
    const response = await post('/messages', { ...request, ...fields });
    return { status: response.status, body: await response.json() };
  };

  test('streams the blocks of the body, each opened and closed in order', async () => {
    const fields = { thinking: budget, messages: [user('Hello')] };
    const body = await complete(fields);
    const events = await stream(fields);
    expect(events.every(({ event, data }) => event === data.type)).toBe(true);
    const kinds = events.map(({ data }) => data.type.replace('content_block_delta', '.')).join(' ');
    const block = 'content_block_start( \\.)+ content_block_stop ';
    expect(kinds).toMatch(new RegExp(`^message_start ping (${block}){2}message_delta message_stop$`));
    const deltas = events.map(({ data }) => data.delta ?? { type: '' });
    expect(deltas.map(({ text = '' }) => text).join('')).toBe(body.content[1]?.text);
    expect(deltas.map(({ thinking = '' }) => thinking).join('')).toBe(body.content[0]?.thinking);
    expect(deltas.find(({ signature }) => signature)?.signature).toBe(body.content[0]?.signature);
    const { input_tokens, output_tokens } = { input_tokens: 0, ...body.usage };
    expect(events.at(-2)?.data).toMatchObject({
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens, output_tokens },
    });
  });

  test('calls functions, alone and in parallel, and forbidden ones not', async () => {
    const parallel = { tools: [weather, time], messages: [user(bothCalls)] };
    const names = async (fields: object) => (await complete(fields)).content.map(({ name }) => name);
    expect(
      (await complete({ tools: [weather, time], messages: [user('sandbox call get_weather')] })).content,
    ).toEqual([
      { type: 'tool_use', id: expect.stringMatching(/^toolu_/), name: 'get_weather', input: weatherSample },
    ]);
    expect(await names(parallel)).toEqual(['get_weather', 'get_time']);
    const one = { type: 'auto', disable_parallel_tool_use: true };
    expect(await names({ ...parallel, tool_choice: one })).toEqual(['get_weather']);
    expect(await names({ ...parallel, tool_choice: { type: 'tool', name: 'get_time' } })).toEqual([
      'get_time',
    ]);
    expect(await names({ ...parallel, tool_choice: { type: 'none' } })).toEqual([undefined]);
  });

  test('streams the input of a call in parts, an empty one as an empty part', async () => {
    const events = await stream({ tools: [weather, time], messages: [user(bothCalls)] });
    const input = (index: number) =>
      events
        .filter(({ data }) => data.index === index)
        .map(({ data }) => data.delta?.partial_json ?? '')
        .join('');
    expect(JSON.parse(input(0))).toEqual(weatherSample);
    expect(input(1)).toBe('');
  });

  test('quotes the result of a function, and takes its own thinking back unchanged only', async () => {
    const first = await complete({
      thinking: budget,
      tools: [weather],
      messages: [user('sandbox call get_weather')],
    });
    const [thinking, call] = first.content;
    const result = { type: 'tool_result', tool_use_id: call?.id, content: 'Sunny, 22 degrees' };
    const turns = (block: unknown) => ({
      thinking: budget,
      tools: [weather],
      messages: [user('Weather?'), { role: 'assistant', content: [block, call] }, user([result])],
    });
    const { content } = await complete(turns(thinking));
    expect(content.at(-1)?.text).toContain('Sunny, 22 degrees');
    const { status } = await refusal(turns({ ...thinking, thinking: 'changed' }));
    expect(status).toBe(400);
  });

  test('keeps its thinking to itself on newer models unless asked to show it', async () => {
    const model = 'claude-opus-4-7';
    const shown = await complete({ model, thinking: { type: 'adaptive', display: 'summarized' } });
    expect(shown.content[0]?.thinking).toContain('Hello, sandbox');
    const hidden = await complete({ model, thinking: { type: 'adaptive' } });
    expect(hidden.content[0]).toMatchObject({ type: 'thinking', thinking: '' });
  });

  const call = { type: 'tool_use', id: 'toolu_1', name: 'get_time', input: {} };
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' };
  test.each([
    ['an unknown field', { frequency_penalty: 1 }, /frequency_penalty: Extra inputs/],
    ['no max_tokens', { max_tokens: undefined }, /max_tokens: Field required/],
    ['a temperature over 1', { temperature: 1.5 }, /temperature/],
    ['a temperature on the newest models', { model: 'claude-opus-5', temperature: 1 }, /temperature/],
    ['an empty text', { messages: [user([{ type: 'text', text: '' }])] }, /non-empty/],
    ['a system role', { messages: [{ role: 'system', content: 'x' }] }, /role/],
    [
      'a lost result',
      { messages: [user('x'), { role: 'assistant', content: [call] }, user('y')] },
      /tool_use/,
    ],
    ['an orphan result', { messages: [user([result])] }, /unexpected `tool_use_id`/],
    ['a tool without a schema type', { tools: [{ name: 'x', input_schema: {} }] }, /input_schema/],
    ['a tool choice without tools', { tool_choice: { type: 'any' } }, /tool_choice/],
    ['a budget above max_tokens', { max_tokens: 1_024, thinking: budget }, /max_tokens/],
    [
      'effort xhigh on 4.6',
      { model: 'claude-opus-4-6', output_config: { effort: 'xhigh' } },
      /effort level 'xhigh'/,
    ],
    ['an open schema', { output_config: { format: { schema: { type: 'object' } } } }, /additionalProperties/],
    [
      'a begun answer on new models',
      { model: 'claude-opus-4-7', messages: [user('x'), { role: 'assistant', content: 'y' }] },
      /prefill/,
    ],
  ])('refuses %s as Anthropic does', async (_, fields, message) => {
    const { status, body } = await refusal(fields);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringMatching(message) },
      request_id: expect.any(String),
    });
  });

  test('does not know the models of others, and asks for a key', async () => {
    const missing = await refusal({ model: 'gpt-4.1' });
    expect(missing).toMatchObject({ status: 404, body: { error: { type: 'not_found_error' } } });
    expect((await post('/messages', request, {})).status).toBe(401);
  });
});
