/** A host that checks its models' tool calls: what it found wrong reaches the caller, and costs few generations. */

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
