/** Real answers match the OpenAPI document, and requests that match it are accepted. */
import { describe, expect, test } from 'vitest';
import { examples } from '../../build/openapi/example-bodies.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { pixel } from '../harness/matrix/providers.ts';
import { document, problems } from './document.ts';

const gateway = useGateway();

const chatModel = 'anthropic/claude-haiku-4-5';
const messages = [{ role: 'user', content: 'Hello.' }];
const debug = ['normalizations', 'deprecations', 'routing'];
const tools = [
  {
    type: 'function',
    function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  },
];
const flatTools = tools.map(({ type, function: { name, parameters } }) => ({ type, name, parameters }));

async function post(path: string, body: object): Promise<unknown> {
  const response = await gateway().post(path, body);
  const answer = await response.json();
  expect([response.status, response.status === 200 ? undefined : answer]).toEqual([200, undefined]);
  return answer;
}

async function get(path: string, method = 'GET'): Promise<Response> {
  const headers = { authorization: `Bearer ${gateway().apiKey}` };
  return await fetch(`${gateway().url}${path}`, { method, headers });
}

/** The data of each event of a stream, without `[DONE]`. */
async function events(path: string, body: object): Promise<readonly unknown[]> {
  const text = await (await gateway().post(path, { ...body, stream: true })).text();
  const data = Array.from(text.matchAll(/^data: (\{.*\})$/gm), ([, json = '']) => JSON.parse(json));
  expect(data.length).toBeGreaterThan(2);
  return data;
}

const chats: Readonly<Record<string, object>> = {
  example: examples['chat-completions'].request ?? {},
  'every kind of debug': { model: chatModel, messages, seed: 1, extra: { debug } },
  'a tool call': { model: chatModel, messages, tools, tool_choice: 'required' },
  reasoning: { model: 'anthropic/claude-opus-5', messages, reasoning_effort: 'high' },
  'a signed tool call': { model: 'google/gemini-3.5-flash', messages, tools, tool_choice: 'required' },
  'log probabilities': { model: 'openai/gpt-4.1', messages, logprobs: true, top_logprobs: 2 },
  'several choices': { model: 'openai/gpt-4.1', messages, n: 2 },
};

describe('chat', () => {
  test.each(Object.entries(chats))('%s', async (_name, body) => {
    expect(problems('ChatCompletionRequest', body)).toEqual([]);
    expect(problems('ChatCompletion', await post('/v1/chat/completions', body))).toEqual([]);
  });

  test.each(Object.entries(chats).filter(([, body]) => !('n' in body)))(
    '%s, streamed',
    async (_name, body) => {
      const options = { stream_options: { include_usage: true } };
      for (const chunk of await events('/v1/chat/completions', { ...body, ...options }))
        expect(problems('ChatCompletionChunk', chunk)).toEqual([]);
    },
  );

  test.each([
    ['every kind of debug', /"normalizations":\[\{.*"deprecations":\[\],"routing":\[\{/],
    ['reasoning', /"reasoning_details":\[\{/],
    ['a tool call', /"tool_calls":\[\{/],
    ['a signed tool call', /"thought_signature":/],
    ['log probabilities', /"top_logprobs":\[\{/],
  ])('%s is in the answer', async (name, expected) => {
    expect(JSON.stringify(await post('/v1/chat/completions', chats[name] ?? {}))).toMatch(expected);
  });
});

const responses: Readonly<Record<string, object>> = {
  example: examples.responses.request ?? {},
  'every kind of debug': { model: chatModel, input: 'Hello.', top_p: 0.5, extra: { debug } },
  'a function call': { model: chatModel, input: 'Hello.', tools: flatTools, tool_choice: 'required' },
  reasoning: {
    model: 'anthropic/claude-opus-5',
    input: 'Hello.',
    reasoning: { effort: 'high' },
    include: ['reasoning.encrypted_content'],
  },
  'a web search': {
    model: 'anthropic/claude-opus-5',
    input: 'Search the web.',
    tools: [{ type: 'web_search' }],
    include: ['web_search_call.action.sources'],
  },
  'a schema': {
    model: 'openai/gpt-4.1',
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hello.' }] }],
    text: { format: { type: 'json_schema', name: 'answer', schema: { type: 'object' } } },
  },
};

describe('Responses', () => {
  test.each(Object.entries(responses))('%s', async (_name, body) => {
    expect(problems('ResponseRequest', body)).toEqual([]);
    expect(problems('Response', await post('/v1/responses', body))).toEqual([]);
  });

  test.each(Object.entries(responses))('%s, streamed', async (_name, body) => {
    for (const event of await events('/v1/responses', body))
      expect(problems('ResponseStreamEvent', event)).toEqual([]);
  });

  test.each(Object.entries(responses))('%s, counted', async (_name, body) => {
    expect(problems('ResponseRequest', body)).toEqual([]);
    expect(problems('ResponseInputTokens', await post('/v1/responses/input_tokens', body))).toEqual([]);
  });

  test('stored: found, listed and deleted', async () => {
    const body = { model: chatModel, input: 'Hello.' };
    const { id } = (await post('/v1/responses', body)) as { id: string };
    const path = `/v1/responses/${id}`;
    expect(problems('Response', await (await get(path)).json())).toEqual([]);
    expect(problems('ResponseInputItems', await (await get(`${path}/input_items`)).json())).toEqual([]);
    expect(problems('DeletedResponse', await (await get(path, 'DELETE')).json())).toEqual([]);
    expect(problems('Error', await (await get(path)).json())).toEqual([]);
  });
});

const messageTools = flatTools.map(({ name, parameters }) => ({ name, input_schema: parameters }));
const common = { max_tokens: 4096, messages };
const thinking = { type: 'adaptive' };

const asked: Readonly<Record<string, object>> = {
  example: examples.messages.request ?? {},
  'every kind of debug, and the cost': {
    ...common,
    model: 'openai/gpt-4.1',
    top_k: 5,
    extra: { debug: [...debug, 'cost'] },
  },
  "a tool call of Claude's": {
    ...common,
    model: chatModel,
    tools: messageTools,
    tool_choice: { type: 'any' },
  },
  "a signed tool call of Gemini's": {
    ...common,
    model: 'google/gemini-3.5-flash',
    tools: messageTools,
    tool_choice: { type: 'any' },
  },
  "Claude's thinking": { ...common, model: 'anthropic/claude-opus-5', thinking },
  "DeepSeek's thinking": {
    ...common,
    model: 'deepseek/deepseek-flash',
    thinking,
    output_config: { effort: 'high' },
  },
  'a web search': {
    ...common,
    model: 'openai/gpt-5.5',
    tools: [{ type: 'web_search_20250305', name: 'web_search' }],
  },
};

describe('Messages', () => {
  test.each(Object.entries(asked))('%s', async (_name, body) => {
    expect(problems('MessageRequest', body)).toEqual([]);
    expect(problems('Message', await post('/v1/messages', body))).toEqual([]);
  });

  test.each(Object.entries(asked))('%s, streamed', async (_name, body) => {
    for (const event of await events('/v1/messages', body))
      expect(problems('MessageStreamEvent', event)).toEqual([]);
  });

  test.each([
    ['every kind of debug, and the cost', /"normalizations":\[\{.*"routing":\[\{.*"cost":/],
    ["a signed tool call of Gemini's", /"signature":"mgw1\..*"type":"tool_use"/],
    ["DeepSeek's thinking", /"thinking":"[^"]/],
    ['a web search', /"type":"web_search_result",/],
  ])('%s is in the answer', async (name, expected) => {
    expect(JSON.stringify(await post('/v1/messages', asked[name] ?? {}))).toMatch(expected);
  });
});

describe('the other operations', () => {
  test.each(['float', 'base64'])('embeddings as %s', async (encoding_format) => {
    const body = { ...examples.embeddings.request, encoding_format, extra: { debug } };
    expect(problems('EmbeddingsRequest', body)).toEqual([]);
    expect(problems('Embeddings', await post('/v1/embeddings', body))).toEqual([]);
  });

  test('images', async () => {
    const body = { ...examples['images-generations'].request, extra: { debug } };
    expect(problems('ImagesRequest', body)).toEqual([]);
    expect(problems('Images', await post('/v1/images/generations', body))).toEqual([]);
  });

  test('edited images', async () => {
    const body = { ...examples['images-edits'].request, extra: { debug } };
    expect(problems('ImageEditsRequest', body)).toEqual([]);
    const images = [{ image_url: pixel }];
    expect(problems('Images', await post('/v1/images/edits', { ...body, images }))).toEqual([]);
  });

  test('models', async () => {
    expect(problems('Models', await (await fetch(`${gateway().url}/v1/models`)).json())).toEqual([]);
  });

  test.each(['', '?group_by=model,key', '?group_by=user,session'])('usage%s', async (query) => {
    const headers = { 'x-gateway-user-id': 'ann' };
    await (await gateway().post('/v1/chat/completions', { model: chatModel, messages }, headers)).text();
    const answer = (await (await get(`/v1/usage${query}`)).json()) as { data: readonly object[] };
    expect(answer.data.length).toBeGreaterThan(0);
    expect(problems('Usage', answer)).toEqual([]);
  });
});

describe('errors', () => {
  test.each([
    ['/v1/chat/completions', {}, 400],
    ['/v1/chat/completions', { model: 'unknown/model', messages }, 404],
    ['/v1/embeddings', { model: chatModel, input: 'a' }, 400],
    ['/v1/models', {}, 405],
    ['/v1/nothing', {}, 404],
  ])('%s %j', async (path, body, status) => {
    const response = await gateway().post(path, body);
    expect(response.status).toBe(status);
    expect(problems('Error', await response.json())).toEqual([]);
  });
});

describe('GET /v1/openapi.json', () => {
  test('returns the document without a key, and allows caching', async () => {
    const response = await fetch(`${gateway().url}/v1/openapi.json`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    expect([response.status, await response.json()]).toEqual([200, document]);
  });

  test('accepts no other method', async () => {
    const response = await gateway().post('/v1/openapi.json', {});
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
