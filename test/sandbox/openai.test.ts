/** The sandbox in the OpenAI protocol. */
import { describe, expect, test } from 'vitest';
import { sandboxRoutes } from '../../local/providers.ts';
import { createOpenaiHandler } from '../../sandbox/openai/handler.ts';
import { bothCalls, readSse, useSandbox, weatherSample, weatherSchema } from './client.ts';

interface Chunk {
  readonly choices: readonly {
    readonly index: number;
    readonly delta: {
      readonly role?: string;
      readonly content?: string | null;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly {
        readonly index: number;
        readonly id?: string;
        readonly function: { readonly name?: string; readonly arguments: string };
      }[];
    };
    readonly finish_reason: string | null;
  }[];
  readonly usage: object | null;
}

type Call = { readonly function: { readonly name: string; readonly arguments: string } };

interface Completion {
  readonly choices: readonly {
    readonly message: {
      readonly content: string | null;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly Call[];
    };
    readonly logprobs: {
      readonly content: readonly { readonly token: string; readonly top_logprobs: readonly object[] }[];
    } | null;
    readonly finish_reason: string;
  }[];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
    readonly completion_tokens_details: { readonly reasoning_tokens: number };
  };
}

const user = (content: unknown) => ({ role: 'user', content });
const chat = { model: 'gpt-4.1', messages: [user('Hello, sandbox')] };
const weather = {
  type: 'function',
  function: { name: 'get_weather', parameters: weatherSchema, strict: false },
};
const time = { type: 'function', function: { name: 'get_time' } };

describe('the OpenAI sandbox', () => {
  const clientOf = useSandbox([
    ...sandboxRoutes,
    {
      provider: 'imitator',
      base: '/imitator/v1',
      handle: createOpenaiHandler({ strict: false, reasoning: 'reasoning_content' }),
    },
  ]);

  const headers = { authorization: 'Bearer sandbox' };
  const post = clientOf('/openai/v1/chat', headers);
  const postToImitator = clientOf('/imitator/v1/chat', headers);
  const complete = async (body: object) => (await (await post('/completions', body)).json()) as Completion;
  const messageOf = ({ choices }: Completion) => choices[0]?.message;
  const stream = async (body: object) => {
    const response = await post('/completions', { ...body, stream: true });
    return readSse<Chunk>(await response.text()).map(({ data }) => data);
  };

  test('streams what it says in a body: role first, one finish, usage last', async () => {
    const body = await complete(chat);
    const chunks = await stream({ ...chat, stream_options: { include_usage: true } });
    expect(chunks.at(-1)).toBe('[DONE]');
    const deltas = chunks.slice(0, -2);
    expect(deltas[0]?.choices[0]?.delta.role).toBe('assistant');
    const text = deltas.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(text).toBe(messageOf(body)?.content);
    expect(deltas.map(({ choices }) => choices[0]?.finish_reason).filter(Boolean)).toEqual(['stop']);
    expect(deltas.every(({ usage }) => usage === null)).toBe(true);
    expect(chunks.at(-2)).toMatchObject({ choices: [], usage: body.usage });
    expect(body.usage.total_tokens).toBe(body.usage.prompt_tokens + body.usage.completion_tokens);
  });

  test('calls the function that the user asks for, with arguments that fit its schema', async () => {
    const body = await complete({
      ...chat,
      messages: [user('sandbox call get_weather')],
      tools: [weather, time],
    });
    expect(body.choices[0]?.finish_reason).toBe('tool_calls');
    expect(messageOf(body)?.content).toBeNull();
    const [call, ...others] = messageOf(body)?.tool_calls ?? [];
    expect(others).toEqual([]);
    expect(call?.function.name).toBe('get_weather');
    expect(JSON.parse(call?.function.arguments ?? '')).toEqual(weatherSample);
  });

  test('calls the named function, two in parallel if requested, none if forbidden', async () => {
    const named = { type: 'function', function: { name: 'get_time' } };
    const names = async (body: object) => {
      const answer = await complete({ ...chat, tools: [weather, time], ...body });
      return (messageOf(answer)?.tool_calls ?? []).map((call) => call.function.name);
    };
    const parallel = { messages: [user(bothCalls)] };
    expect(await names({ tool_choice: named })).toEqual(['get_time']);
    expect(await names(parallel)).toEqual(['get_weather', 'get_time']);
    expect(await names({ ...parallel, parallel_tool_calls: false })).toEqual(['get_weather']);
    expect(await names({ tool_choice: 'none' })).toEqual([]);
  });

  test('streams calls in parts, id and name once', async () => {
    const chunks = await stream({ tools: [weather, time], ...chat, messages: [user(bothCalls)] });
    const deltas = chunks.slice(0, -1).flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    const first = deltas.filter(({ index }) => index === 0);
    expect(first.map(({ id }) => id !== undefined)).toEqual([true, false, false]);
    expect(JSON.parse(first.map((delta) => delta.function.arguments).join(''))).toEqual(weatherSample);
    expect(deltas.filter(({ id }) => id !== undefined)).toHaveLength(2);
  });

  test('counts images, choices and thinking', async () => {
    const image_url = { url: 'data:image/png;base64,AAAA' };
    const parts = [{ type: 'text', text: 'Look' }, ...[1, 2].map(() => ({ type: 'image_url', image_url }))];
    expect(messageOf(await complete({ ...chat, messages: [user(parts)] }))?.content).toContain('2 images');
    expect((await complete({ ...chat, n: 3 })).choices).toHaveLength(3);
    const thinking = await complete({ ...chat, model: 'gpt-5' });
    expect(thinking.usage.completion_tokens_details.reasoning_tokens).toBeGreaterThan(0);
    expect(messageOf(thinking)).not.toHaveProperty('reasoning_content');
  });

  test('shows reasoning on hosts that do, and takes fields that OpenAI does not know', async () => {
    const body = { ...chat, model: 'any-model', reasoning_effort: 'high', top_k: 1 };
    const answer = (await (await postToImitator('/completions', body)).json()) as Completion;
    expect(messageOf(answer)?.reasoning_content).toContain('Hello, sandbox');
    expect(messageOf(answer)?.content).toContain('imitator sandbox');
  });

  const call = { id: 'call_1', type: 'function', function: { name: 'get_time', arguments: '{}' } };
  test.each([
    ['an unknown field', { top_k: 1 }, 400, 'top_k', 'unknown_parameter'],
    ['no messages', { messages: undefined }, 400, 'messages', 'missing_required_parameter'],
    ['a model that does not exist', { model: 'claude-3' }, 404, null, 'model_not_found'],
    ['a temperature beyond the range', { temperature: 3 }, 400, 'temperature', 'decimal_out_of_range'],
    [
      'a temperature while thinking',
      { model: 'gpt-5', temperature: 0.5 },
      400,
      'temperature',
      'unsupported_value',
    ],
    ['max_tokens on o3', { model: 'o3', max_tokens: 9 }, 400, 'max_tokens', 'unsupported_parameter'],
    ['top_p on gpt-6', { model: 'gpt-6-sol', top_p: 0.5 }, 400, 'top_p', 'unsupported_value'],
    [
      'tools while gpt-5.4 thinks',
      { model: 'gpt-5.4', tools: [weather], reasoning_effort: 'low' },
      400,
      'reasoning_effort',
      null,
    ],
    ['tools of gpt-5.5', { model: 'gpt-5.5', tools: [weather] }, 400, 'reasoning_effort', null],
    [
      'the effort max',
      { model: 'gpt-6-sol', reasoning_effort: 'max' },
      400,
      'reasoning_effort',
      'unsupported_value',
    ],
    ['a model of Responses', { model: 'gpt-5.3-codex' }, 404, 'model', null],
    [
      'an id of 41 characters',
      { messages: [user('x'), { role: 'assistant', tool_calls: [{ ...call, id: 'x'.repeat(41) }] }] },
      400,
      'messages[1].tool_calls[0].id',
      'string_above_max_length',
    ],
    ['parallel calls without tools', { parallel_tool_calls: true }, 400, 'parallel_tool_calls', null],
    [
      'a lost result',
      { messages: [user('x'), { role: 'assistant', tool_calls: [call] }] },
      400,
      'messages',
      null,
    ],
    [
      'an orphan result',
      { messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] },
      400,
      'messages',
      null,
    ],
    [
      'reasoning in a message',
      { messages: [{ ...user('x'), reasoning_content: 'y' }] },
      400,
      'messages[0].reasoning_content',
      'unknown_parameter',
    ],
  ])('refuses %s as OpenAI does', async (_, fields, status, param, code) => {
    const response = await post('/completions', { ...chat, ...fields });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param, code } });
  });

  test('asks for a key, and lets a temperature pass where the model does not think', async () => {
    expect((await post('/completions', chat, {})).status).toBe(401);
    for (const fields of [{ model: 'gpt-5.1' }, { model: 'gpt-5.6-sol', reasoning_effort: 'none' }]) {
      expect((await post('/completions', { ...chat, ...fields, temperature: 0.5 })).status).toBe(200);
    }
  });

  const fill = { model: 'codestral-latest', prompt: 'a', suffix: 'b', max_tokens: 50 };

  test.each<[string, string, object, number]>([
    ['answers', 'mistral', fill, 200],
    ['needs no suffix', 'mistral', { ...fill, suffix: undefined }, 200],
    ['needs a prompt', 'mistral', { ...fill, prompt: undefined }, 400],
    ['takes no messages', 'mistral', { ...fill, messages: [{ role: 'user', content: 'a' }] }, 400],
    ['takes no penalties', 'mistral', { ...fill, presence_penalty: 1 }, 400],
    ['takes no choices', 'mistral', { ...fill, n: 2 }, 400],
    ['has no other models', 'mistral', { ...fill, model: 'mistral-large-2512' }, 400],
    ['is at no other host', 'groq', fill, 404],
  ])('filling in between two texts %s (%s, %j: %i)', async (_, provider, sent, status) => {
    const base = sandboxRoutes.find((route) => route.provider === provider)?.base ?? '';
    expect((await clientOf(base, headers)('/fim/completions', sent)).status).toBe(status);
  });
});
