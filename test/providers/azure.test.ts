/** Azure OpenAI through the whole gateway: its address, its key, and what its content filter adds to answers. */
import { expect, test } from 'vitest';
import { readChatStream } from '../harness/chat-stream.ts';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { answerEvents, answerJson } from '../harness/upstream.ts';

const { gateway, upstream } = useUpstreamGateway('AZURE');

const ask = (more: object = {}) =>
  gateway.post('/v1/chat/completions', {
    model: 'openai/gpt-4.1:azure',
    messages: [{ role: 'user', content: 'Hello' }],
    ...more,
  });

const filterResults = { hate: { filtered: false, severity: 'safe' } };
const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };

test('is called at the resource with its key in a header of its own, and the deployment as the model', async () => {
  const message = { role: 'assistant', content: 'Hi' };
  const choices = [{ index: 0, message, finish_reason: 'stop', content_filter_results: filterResults }];
  upstream.script(answerJson({ id: '1', choices, usage, prompt_filter_results: [] }));
  const response = await ask();
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Hi' } }] });
  const [request] = upstream.requests;
  expect(request?.path).toBe('/chat/completions');
  expect(request?.headers['api-key']).toBe('a-provider-key');
  expect(request?.headers.authorization).toBeUndefined();
  expect(request?.body.model).toBe('gpt-4.1');
});

test('may begin a stream with the filter results of the prompt alone, and send others without a delta', async () => {
  const chunk = (choice: object) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    model: 'gpt-4.1',
    choices: [{ index: 0, finish_reason: null, ...choice }],
  });
  const filters = [{ prompt_index: 0, content_filter_results: filterResults }];
  const first = { choices: [], created: 0, id: '', model: '', object: '', prompt_filter_results: filters };
  upstream.script(
    answerEvents([
      first,
      chunk({ delta: { role: 'assistant', content: '' } }),
      chunk({ delta: { content: 'Hi' } }),
      chunk({ content_filter_results: filterResults, content_filter_offsets: { check_offset: 2 } }),
      chunk({ delta: {}, finish_reason: 'stop' }),
      { ...first, prompt_filter_results: undefined, usage },
    ]),
  );
  const response = await ask({ stream: true });
  const { chunks, choices } = readChatStream(await response.text());
  expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
  expect(choices.get(0)).toMatchObject({ content: 'Hi', finish: 'stop' });
});

test('refuses a prompt by its content filter: the caller gets the error, and no other target is tried', async () => {
  const innererror = { code: 'ResponsibleAIPolicyViolation', content_filter_result: filterResults };
  const message = "The response was filtered due to the prompt triggering Azure OpenAI's content policy.";
  const error = { code: 'content_filter', message, param: 'prompt', status: 400, innererror };
  upstream.script(answerJson({ error }, 400));
  const response = await ask();
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { type: 'invalid_request_error', code: 'content_policy_violation' },
  });
  expect(upstream.requests).toHaveLength(1);
});

test.each([
  [401, { error: { code: '401', message: 'Access denied due to invalid subscription key.' } }, 500],
  [404, { error: { code: 'DeploymentNotFound', message: 'The API deployment does not exist.' } }, 503],
])('a %s about our set-up is not shown as the fault of the caller', async (status, body, shown) => {
  upstream.script(answerJson(body, status));
  const response = await ask();
  expect(response.status).toBe(shown);
});
