/** Hosts of the operator's own that also serve the Anthropic protocol: callers of the Messages operation reach it as it is. */
import { expect, test } from 'vitest';
import { message } from '../harness/first-lane.ts';
import { answerPieces } from '../harness/gateways/protocol-gateway.ts';
import { messagesEventsOf } from '../harness/messages.ts';
import { answerJson, startUpstream, type Upstream } from '../harness/upstream.ts';
import { modelRow, useOwnGateway } from './own-gateway.ts';

let upstream: Upstream;
const gateway = useOwnGateway(
  async () => {
    upstream = await startUpstream();
    const baseUrl = `${upstream.url}/v1`;
    const hosts = [
      { name: 'both', baseUrl, servesMessages: true },
      { name: 'open', baseUrl, servesMessages: true, needsKey: false },
      { name: 'only-chat', baseUrl, needsKey: false },
    ];
    const models = hosts.map(({ name }) =>
      modelRow(`acme/${name}`, name, { endpoints: ['chat_completions'] }),
    );
    return { hosts, models, environment: { BOTH_API_KEY: 'sk-example-both' } };
  },
  () => upstream?.close(),
);

const post = (path: string, body: object) =>
  gateway.post(path, body, { 'anthropic-beta': 'claude-code-20250219' });

const body = {
  max_tokens: 100,
  system: [{ type: 'text', text: ' Be brief. ', cache_control: { type: 'ephemeral' } }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello.' }] }],
  thinking: { type: 'adaptive' },
  unheard_of: 1,
};

test('gets the body as it was sent, with its own key as a bearer token', async () => {
  upstream.script(answerJson(message));
  const response = await post('/v1/messages', { model: 'acme/both', ...body });
  expect([response.status, await response.json()]).toEqual([200, { ...message, model: 'acme/both' }]);
  const [sent] = upstream.requests;
  expect(sent?.path).toBe('/v1/messages');
  expect(sent?.headers).toMatchObject({
    authorization: 'Bearer sk-example-both',
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'claude-code-20250219',
  });
  expect(sent?.headers).not.toHaveProperty('x-api-key');
  expect(sent?.body).toEqual({ model: 'both', ...body });
});

test('streams as it came, without a key where none is needed', async () => {
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ];
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  upstream.script(answerPieces([Buffer.from(text)], 'text/event-stream'));
  const response = await post('/v1/messages', { model: 'acme/open', ...body, stream: true });
  expect(messagesEventsOf(await response.text()).slice(1)).toEqual(events.slice(1));
  expect(upstream.requests[0]?.headers).not.toHaveProperty('authorization');
});

test('is asked by the OpenAI protocol for chat, and where its row does not have it', async () => {
  const answered = { choices: [{ index: 0, message: { content: 'Good.' }, finish_reason: 'stop' }] };
  upstream.script(answerJson(answered));
  const { messages } = body;
  expect((await post('/v1/chat/completions', { model: 'acme/both', messages })).status).toBe(200);
  expect((await post('/v1/messages', { model: 'acme/only-chat', ...body })).status).toBe(200);
  expect(upstream.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/chat/completions']);
});

test('counts tokens where it can, and else they are estimated', async () => {
  const { messages } = body;
  const count = async () => {
    const response = await post('/v1/messages/count_tokens', { model: 'acme/open', messages });
    return [response.headers.get('x-gateway-estimated'), await response.json()];
  };
  upstream.script(answerJson({ input_tokens: 123 }));
  expect(await count()).toEqual([null, { input_tokens: 123 }]);
  expect(upstream.requests[0]?.path).toBe('/v1/messages/count_tokens');
  upstream.script(answerJson({ error: 'Unexpected endpoint' }, 404));
  expect(await count()).toEqual(['true', { input_tokens: expect.any(Number), estimated: true }]);
});

test('and the gateway are not sent to an address of the operator’s by a caller’s picture', async () => {
  upstream.script(answerJson(message));
  const source = { type: 'url', url: `${upstream.url}/secret.png` };
  const messages = [{ role: 'user', content: [{ type: 'image', source }] }];
  const response = await post('/v1/messages', { model: 'acme/open', ...body, messages });
  expect(response.status).toBe(400);
  expect(upstream.requests).toEqual([]);
});
