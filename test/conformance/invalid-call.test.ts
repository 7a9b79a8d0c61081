/**
 * Tool calls of hosts: what a host finds wrong in them reaches the caller, and costs few generations; ids that it gives twice are
 * written once.
 */

import OpenAI, { BadRequestError } from 'openai';
import { expect, test } from 'vitest';
import { readChatStream } from '../harness/chat-stream.ts';
import { useProtocolGateway } from '../harness/gateways/protocol-gateway.ts';
import { putModels } from '../harness/matrix/catalog.ts';
import { answerEvents, answerJson } from '../harness/upstream.ts';

const protocols = useProtocolGateway({ GROQ_API_KEY: 'a-provider-key' });

// As Groq writes it: https://console.groq.com/docs/tool-use, and recorded by pydantic-ai (test_tool_use_failed_error).
const message = 'Tool choice is required, but model did not call a tool';
const error = { message, type: 'invalid_request_error', code: 'tool_use_failed', failed_generation: 'Sure!' };

const model = 'faults/careless';
const putModel = () =>
  putModels({ [model]: ['one', 'two', 'three'].map((upstreamId) => ({ provider: 'openai', upstreamId })) });
const body = { model, messages: [{ role: 'user' as const, content: 'Hello.' }] };

test('is a 400 with the reason, after one retry at each target and none of the client', async () => {
  await putModel();
  protocols.upstream.script(answerJson({ error }, 400));
  const { url, apiKey } = protocols.gateway;
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey });
  const failure = await client.chat.completions.create(body).catch((thrown) => thrown);
  expect(failure).toBeInstanceOf(BadRequestError);
  expect(failure).toMatchObject({ code: 'tool_use_failed', type: 'invalid_request_error' });
  expect(failure.message).toContain(message);
  expect(protocols.upstream.requests).toHaveLength(6);
});

test('is a good answer where the second try is one', async () => {
  await putModel();
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }];
  protocols.upstream.script((request, response) => {
    const isFirst = protocols.upstream.requests.length === 1;
    return answerJson(isFirst ? { error } : { choices }, isFirst ? 400 : 200)(request, response);
  });
  const response = await protocols.gateway.post('/v1/chat/completions', body);
  expect(response.status).toBe(200);
});

test('after other output is the last event of the stream, with the reason', async () => {
  await putModel();
  const chunk = { choices: [{ index: 0, delta: { content: 'I ' }, finish_reason: null }] };
  protocols.upstream.script(answerEvents([chunk, { error }], { done: false }));
  const response = await protocols.gateway.post('/v1/chat/completions', { ...body, stream: true });
  const seen = readChatStream(await response.text());
  expect(seen.error).toMatchObject({ message, code: 'tool_use_failed', type: 'invalid_request_error' });
});

test.each([
  ['/v1/chat/completions', { messages: [] }],
  ['/v1/responses', { input: [] }],
  ['/v1/messages', { messages: [], max_tokens: 100 }],
])(
  '%s: an id that the host gives in each answer is another one in each turn, there and back',
  async (path, form) => {
    const model = 'faults/counting';
    await putModels({ [model]: [{ provider: 'deepseek', upstreamId: 'one' }] });
    const tool_calls = [
      { index: 0, id: 'call_0', type: 'function', function: { name: 'f', arguments: '{}' } },
    ];
    const message = { role: 'assistant', content: null, tool_calls };
    protocols.upstream.script((request, response) => {
      const { stream } = request.body as { readonly stream?: boolean };
      const finish = { index: 0, finish_reason: 'tool_calls' };
      return stream
        ? answerEvents([{ choices: [{ ...finish, delta: message }] }])(request, response)
        : answerJson({ choices: [{ ...finish, message }] })(request, response);
    });
    const parameters = { type: 'object', properties: {} };
    const tools = {
      '/v1/chat/completions': [{ type: 'function', function: { name: 'f', parameters } }],
      '/v1/responses': [{ type: 'function', name: 'f', parameters }],
      '/v1/messages': [{ name: 'f', input_schema: parameters }],
    }[path];
    const [field = '', given = []] = Object.entries(form)[0] ?? [];
    let history: readonly object[] = [...(given as readonly object[]), { role: 'user', content: 'Hello.' }];
    for (const stream of [false, true, false]) {
      const asked = { model, tools, ...form, [field]: history, stream };
      const response = await protocols.gateway.post(path, asked);
      expect(response.status).toBe(200);
      history = [...history, ...continued(path, callIn(await response.text()))];
    }
    const ids = [...JSON.stringify(history).matchAll(/"(?:tool_call_id|tool_use_id|call_id|id)":"([^"]+)"/g)];
    expect(new Set(ids.map(([, id]) => id)).size).toBe(3);
    expect(ids[0]?.[1]).toBe('call_0');
    const twice = JSON.parse(JSON.stringify(history).replaceAll(ids.at(-1)?.[1] ?? '', 'call_0'));
    expect((await protocols.gateway.post(path, { model, tools, ...form, [field]: twice })).status).toBe(200);
    const sent = protocols.upstream.requests.at(-1)?.body as { readonly messages: readonly SentMessage[] };
    const called = sent.messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
    const answered = sent.messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]));
    expect(called).toEqual(['call_0', ids[2]?.[1], 'call_0_2']);
    expect(answered).toEqual(called);
  },
);

interface SentMessage {
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

/** The id of the one call in the text of an answer. */
function callIn(text: string): string {
  const found = /"call_id":\s*"([^"]+)"|"id":\s*"(call_[^"]+)"/.exec(text);
  return found?.[1] ?? found?.[2] ?? 'none';
}

/** The call and its result, as the operation has them. */
function continued(path: string, id: string): readonly object[] {
  const call = { name: 'f', arguments: '{}' };
  if (path === '/v1/responses') {
    return [
      { type: 'function_call', call_id: id, ...call },
      { type: 'function_call_output', call_id: id, output: 'Done.' },
    ];
  }
  if (path === '/v1/messages') {
    return [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'Done.' }] },
    ];
  }
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] },
    { role: 'tool', tool_call_id: id, content: 'Done.' },
  ];
}
