/** The sandbox in the Responses protocol, as OpenAI, Azure and xAI serve it. */
import { describe, expect, test } from 'vitest';
import { encrypt } from '../../sandbox/openai-responses/ids.ts';
import { hasOpenAiSchema, openAiSchema } from '../harness/openai-schema.ts';
import { bothCalls, readSse, useSandbox, weatherSample, weatherSchema } from './client.ts';

interface Item {
  readonly id: string;
  readonly type: string;
  readonly status?: string;
  readonly phase?: string;
  readonly content?: readonly Part[];
  readonly summary?: readonly { readonly text: string }[];
  readonly encrypted_content?: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly action?: { readonly query: string; readonly sources?: readonly object[] };
}

interface Part {
  readonly type: string;
  readonly text: string;
  readonly annotations: readonly Annotation[];
  readonly logprobs: readonly { readonly top_logprobs: readonly object[] }[];
}

interface Annotation {
  readonly start_index?: number;
  readonly end_index?: number;
  readonly url: string;
}

interface Body {
  readonly id: string;
  readonly status: string;
  readonly incomplete_details: object | null;
  readonly output: readonly Item[];
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly output_tokens_details: { readonly reasoning_tokens: number };
    readonly total_tokens: number;
  };
}

interface Event {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly item?: Item;
  readonly delta?: string;
  readonly obfuscation?: string;
  readonly response?: Body;
  readonly error?: object;
}

/** The provider writes null where its schema has a text. */
const withoutUser = (body: object): object =>
  JSON.parse(JSON.stringify(body, (key, value) => (key === 'user' && value === null ? undefined : value)));

const ask = { model: 'gpt-4.1', input: 'Hello, sandbox' };
const thinker = { model: 'gpt-5.5', input: 'Hello, sandbox' };
const user = (content: unknown) => ({ role: 'user', content });
const weather = { type: 'function', name: 'get_weather', parameters: weatherSchema, strict: false };
const time = { type: 'function', name: 'get_time' };
const search = { type: 'web_search' };
const encrypted = { include: ['reasoning.encrypted_content'] };
const call = { type: 'function_call', call_id: 'call_1', name: 'get_time', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'call_1', output: 'Noon' };

describe('the Responses sandbox', () => {
  const clientOf = useSandbox();
  const headers = { authorization: 'Bearer sandbox', 'api-key': 'sandbox' };
  const bases = { openai: '/openai/v1', azure: '/azure/openai/v1', xai: '/xai/v1' };
  const postTo = (provider: keyof typeof bases, body: object) =>
    clientOf(bases[provider], headers)('/responses', body);
  const post = (body: object) => postTo('openai', body);
  const complete = async (body: object) => {
    const response = await post(body);
    expect(response.status).toBe(200);
    return (await response.json()) as Body;
  };
  const stream = async (body: object, provider: keyof typeof bases = 'openai') => {
    const response = await postTo(provider, { ...body, stream: true });
    const events = readSse<Event>(await response.text());
    expect(events.every(({ event, data }) => event === data.type)).toBe(true);
    return events.map(({ data }) => data);
  };
  const textOf = ({ output }: Body) =>
    output.flatMap(({ content = [] }) => content.map(({ text }) => text)).join('');
  const typesOf = ({ output }: Body) => output.map(({ type }) => type);

  const everything = [
    ['a plain answer', ask],
    ['reasoning and its summary', { ...thinker, ...encrypted, reasoning: { summary: 'detailed' } }],
    ['two calls', { ...thinker, input: bothCalls, tools: [weather, time] }],
    ['a search', { ...thinker, tools: [search], include: ['web_search_call.action.sources'] }],
    ['probabilities', { ...ask, include: ['message.output_text.logprobs'], top_logprobs: 2 }],
    ['an answer that was cut', { ...thinker, max_output_tokens: 16 }],
  ] as const;

  test.each(everything)('streams %s with the same content as the body', async (_, request) => {
    const body = await complete(request);
    const events = await stream(request);
    expect(events.map((event) => event.sequence_number)).toEqual([...events.keys()]);
    expect(events.map(({ type }) => type).slice(0, 2)).toEqual(['response.created', 'response.in_progress']);
    const last = events.at(-1);
    expect(last?.type).toBe(`response.${body.status}`);
    const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
    expect(done.map((item) => ({ ...item, encrypted_content: '' }))).toEqual(
      last?.response?.output.map((item) => ({ ...item, encrypted_content: '' })),
    );
    expect(typesOf(body)).toEqual(done.map((item) => item?.type));
    expect(body.usage).toEqual(last?.response?.usage);
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
    expect(deltas.map(({ delta }) => delta).join('')).toBe(textOf(body));
  });

  test.skipIf(!hasOpenAiSchema).each(everything)('%s satisfies the public schema', async (_, request) => {
    expect(openAiSchema('Response')(withoutUser(await complete(request)))).toEqual([]);
  });

  test('pads its deltas unless that is disabled', async () => {
    const padded = async (body: object) => (await stream(body)).some(({ obfuscation }) => obfuscation);
    expect(await padded(ask)).toBe(true);
    expect(await padded({ ...ask, stream_options: { include_obfuscation: false } })).toBe(false);
  });

  test('calls functions that are named, two in parallel if requested, none if forbidden', async () => {
    const names = async (body: object) =>
      (await complete({ ...ask, tools: [weather, time], ...body })).output.map(({ name }) => name);
    expect(await names({ tool_choice: { type: 'function', name: 'get_time' } })).toEqual(['get_time']);
    expect(await names({ input: bothCalls })).toEqual(['get_weather', 'get_time']);
    expect(await names({ input: bothCalls, parallel_tool_calls: false })).toEqual(['get_weather']);
    expect(await names({ tool_choice: 'none' })).toEqual([undefined]);
    const [made] = (await complete({ ...ask, tools: [weather], tool_choice: 'required' })).output;
    expect(JSON.parse(made?.arguments ?? '')).toEqual(weatherSample);
  });

  test('returns reasoning as requested: not at all, as a summary, encrypted for the next request', async () => {
    const reasoning = async (body: object) => (await complete({ ...thinker, ...body })).output[0];
    expect(await reasoning({})).toEqual({ id: expect.any(String), type: 'reasoning', summary: [] });
    const summarized = await reasoning({ ...encrypted, reasoning: { effort: 'low', summary: 'detailed' } });
    expect(summarized?.summary).toHaveLength(2);
    expect(summarized?.summary?.map(({ text }) => text).join('')).toContain('Hello, sandbox');
    expect(summarized?.encrypted_content).toMatch(/^gAAAAA/);
  });

  test('takes its own reasoning back, and neither what is forged nor what is not its own', async () => {
    const body = { ...thinker, ...encrypted, tools: [time] };
    const [reasoning, made] = (await complete({ ...body, input: 'sandbox call get_time' })).output;
    const results = [made, { ...output, call_id: made?.call_id }];
    const replay = (items: readonly unknown[], provider: keyof typeof bases = 'openai') =>
      postTo(provider, { ...body, input: [user('x'), ...items] });
    expect((await replay([reasoning, ...results])).status).toBe(200);
    const code = async (answer: Response) =>
      ((await answer.json()) as { error: { code: string } }).error.code;
    const forged = { ...reasoning, encrypted_content: 'gAAAAAforged' };
    expect(await code(await replay([forged, ...results]))).toBe('invalid_encrypted_content');
    expect(await code(await replay([reasoning, ...results], 'azure'))).toBe('invalid_encrypted_content');
    const moved = { ...reasoning, id: 'rs_another' };
    expect(await code(await replay([moved, ...results]))).toBe('invalid_encrypted_content');
    expect(await (await replay(results)).text()).toContain("without its required 'reasoning' item");
    for (const rest of [[], [user('y')]]) {
      expect(await (await replay([reasoning, ...rest])).text()).toContain('its required following item');
    }
    expect((await replay([{ ...reasoning, encrypted_content: null }])).status).toBe(404);
  });

  test('searches the web when it may, and cites what it found', async () => {
    const body = await complete({ ...ask, tools: [search], include: ['web_search_call.action.sources'] });
    expect(typesOf(body)).toEqual(['web_search_call', 'message']);
    expect(body.output[0]?.action).toMatchObject({ type: 'search', query: 'Hello, sandbox' });
    expect(body.output[0]?.action?.sources).toHaveLength(2);
    const part = body.output[1]?.content?.[0];
    const cited = part?.annotations.map(({ start_index, end_index }) =>
      part.text.slice(start_index, end_index),
    );
    expect(cited).toEqual(['The café – so they say – opens at nine.', 'It closes at six.']);
    const types = async (more: object) =>
      typesOf(await complete({ ...ask, input: 'sandbox call get_time', tools: [time, search], ...more }));
    expect(await types({})).toEqual(['web_search_call', 'function_call']);
    expect(await types({ tool_choice: search })).toEqual(['web_search_call', 'message']);
    expect(await types({ tool_choice: { type: 'function', name: 'get_time' } })).toEqual(['function_call']);
    expect(await types({ tool_choice: 'none' })).toEqual(['message']);
  });

  test('says what its messages are where the model does', async () => {
    const { output } = await complete({ ...thinker, tools: [search] });
    expect(output.flatMap(({ phase }) => phase ?? [])).toEqual(['commentary', 'final_answer']);
    const back = { role: 'assistant', content: 'Yes.', phase: 'final_answer' };
    expect((await post({ ...thinker, input: [user('x'), back, user('y')] })).status).toBe(200);
  });

  test('counts images and documents', async () => {
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' };
    const file = { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' };
    const byUrl = { type: 'input_file', file_url: 'https://example.com/a.pdf' };
    const text = textOf(await complete({ ...ask, input: [user([image, image, file])] }));
    expect(text).toContain('I was shown 2 images. I was shown 1 document.');
    expect(textOf(await complete({ ...ask, input: [user([byUrl, file])] }))).toContain('2 documents');
  });

  test('speaks as Azure and as xAI do', async () => {
    const azure = await stream(thinker, 'azure');
    expect(azure[0]?.response).toMatchObject({ content_filters: null });
    expect(azure.at(-1)?.response).toMatchObject({
      content_filters: [{ blocked: false }, { blocked: false }],
    });
    const xai = await stream({ model: 'grok-4.3', input: 'Hi', tools: [search] }, 'xai');
    expect(xai.some(({ type }) => type.startsWith('response.web_search_call'))).toBe(false);
    const last = xai.at(-1)?.response;
    expect(last).toMatchObject({ usage: { num_server_side_tools_used: 1 } });
    expect(last?.output[0]).toMatchObject({ type: 'web_search_call', name: 'web_search', call_id: '' });
    expect(last?.output[1]?.content?.[0]?.annotations[0]).toEqual({
      type: 'url_citation',
      url: expect.any(String),
    });
    expect(last).not.toHaveProperty('truncation');
  });

  const nested = { type: 'function', function: { name: 'get_time' } };
  const assistant = (type: string) => ({ role: 'assistant', content: [{ type, text: 'x' }] });
  test.each([
    ['a field of chat', { messages: [] }, 'messages', 'unknown_parameter'],
    ['a stop sequence', { stop: ['x'] }, 'stop', 'unknown_parameter'],
    ['a seed', { seed: 1 }, 'seed', 'unknown_parameter'],
    ['no input', { input: undefined }, 'input', 'missing_required_parameter'],
    ['too low a limit', { max_output_tokens: 15 }, 'max_output_tokens', 'integer_below_min_value'],
    ['too high a temperature', { temperature: 3 }, 'temperature', 'decimal_above_max_value'],
    ['a temperature while thinking', { ...thinker, temperature: 0.5 }, 'temperature', 'unsupported_value'],
    [
      'an effort where there is none',
      { reasoning: { effort: 'low' } },
      'reasoning.effort',
      'unsupported_parameter',
    ],
    ['an unknown effort', { ...thinker, reasoning: { effort: 'huge' } }, 'reasoning.effort', 'invalid_value'],
    ['reasoning for the way back where there is none', encrypted, 'include', null],
    ['something unknown to include', { include: ['all'] }, 'include[0]', 'invalid_value'],
    ['a nested function', { tools: [nested] }, 'tools[0].name', 'missing_required_parameter'],
    [
      'a nested choice',
      { tools: [time], tool_choice: nested },
      'tool_choice.name',
      'missing_required_parameter',
    ],
    ['a choice that is no tool', { tools: [time], tool_choice: { ...time, name: 'x' } }, 'tool_choice', null],
    [
      'a nested schema',
      { text: { format: { type: 'json_schema', json_schema: {} } } },
      'text.format.name',
      'missing_required_parameter',
    ],
    ['JSON that is not asked for', { text: { format: { type: 'json_object' } } }, 'input', null],
    [
      'an earlier response',
      { previous_response_id: 'resp_1' },
      'previous_response_id',
      'previous_response_not_found',
    ],
    [
      'usage in a stream',
      { stream_options: { include_usage: true } },
      'stream_options.include_usage',
      'unknown_parameter',
    ],
    ['a call without its output', { input: [call] }, 'input', null],
    ['an output without its call', { input: [output] }, 'input', null],
    [
      'a part of chat',
      { input: [user([{ type: 'text', text: 'x' }])] },
      'input[0].content[0].type',
      'invalid_value',
    ],
    ['an answer as input', { input: [assistant('input_text')] }, 'input[0].content[0].type', 'invalid_value'],
    [
      'an image as chat has it',
      { input: [user([{ type: 'input_image', image_url: { url: 'x' } }])] },
      'input[0].content[0].image_url',
      'invalid_type',
    ],
    [
      'reasoning with a status',
      { input: [{ type: 'reasoning', summary: [], status: 'completed' }] },
      'input[0].status',
      'unknown_parameter',
    ],
    [
      'reasoning for a model without it',
      {
        model: 'gpt-4.1',
        input: [
          { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: encrypt('openai', 'rs_1') },
          { role: 'assistant', content: 'x' },
        ],
      },
      'input',
      null,
    ],
    [
      'an id of 65 characters',
      { input: [{ ...call, call_id: 'x'.repeat(65) }] },
      'input[0].call_id',
      'string_above_max_length',
    ],
    ['an unknown item', { input: [{ type: 'thought' }] }, 'input[0]', 'invalid_value'],
    ['a search where the model has none', { model: 'gpt-4.1-nano', tools: [search] }, 'tools', null],
    [
      'a filter on the preview of search',
      { tools: [{ type: 'web_search_preview', filters: {} }] },
      'tools[0].filters',
      'unknown_parameter',
    ],
    [
      'an input that is too long',
      { model: 'gpt-4', input: 'x'.repeat(33_000) },
      'input',
      'context_length_exceeded',
    ],
  ])('refuses %s as OpenAI does', async (_, fields, param, code) => {
    const response = await post({ ...ask, ...fields });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param, code } });
  });

  test('says inside a stream that the input is too long', async () => {
    const events = await stream({ model: 'gpt-4', input: 'x'.repeat(33_000) });
    const types = ['response.created', 'response.in_progress', 'error', 'response.failed'];
    expect(events.map(({ type }) => type)).toEqual(types);
    expect(events[2]?.error).toMatchObject({ code: 'context_length_exceeded', param: 'input' });
    expect(events[3]?.response).toMatchObject({
      status: 'failed',
      error: { code: 'context_length_exceeded' },
    });
  });

  test('is absent for hosts without this protocol', async () => {
    const response = await clientOf('/groq/openai/v1', headers)('/responses', ask);
    expect(response.status).toBe(404);
  });
});
