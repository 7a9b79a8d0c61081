/** The sandbox of Claude on Bedrock by InvokeModel. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bedrockHandler } from '../../sandbox/bedrock/handler.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { clientOf, readEventStream } from './client.ts';

const claude = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const body = {
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello, sandbox' }],
};

interface Message {
  readonly content: readonly { readonly text: string }[];
  readonly usage: { readonly input_tokens: number };
}

describe('the sandbox of InvokeModel', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    const route = { provider: 'bedrock', base: '/bedrock', handle: bedrockHandler };
    sandbox = await startSandbox([route], { pauseMs: 1 });
  });
  afterAll(async () => await sandbox.close());

  const post = clientOf(() => `${sandbox.url}/bedrock/model`, { authorization: 'Bearer sandbox' });
  const send = (fields: object, action = 'invoke', model = claude) =>
    post(`/${encodeURIComponent(model)}/${action}`, fields);

  test('answers as Anthropic does', async () => {
    const answer = (await (await send(body)).json()) as Message;
    expect(answer).toMatchObject({ type: 'message', role: 'assistant', stop_reason: 'end_turn' });
    expect(answer.content[0]?.text).toMatch(/bedrock sandbox.*claude-sonnet-4-5.*Hello, sandbox/);
  });

  test('streams events in messages of an event stream, and its own counts beside the last', async () => {
    const response = await send(body, 'invoke-with-response-stream');
    expect(response.headers.get('content-type')).toBe('application/vnd.amazon.eventstream');
    const frames = readEventStream<{ bytes: string }>(Buffer.from(await response.arrayBuffer()));
    expect(new Set(frames.map(({ event }) => event))).toEqual(new Set(['chunk']));
    const events = frames.map(({ data }) => JSON.parse(Buffer.from(data.bytes, 'base64').toString()));
    expect(events[0]).toMatchObject({ type: 'message_start' });
    expect(events.at(-1)).toMatchObject({
      type: 'message_stop',
      'amazon-bedrock-invocationMetrics': expect.any(Object),
    });
  });

  test('counts a body in base64, of the model itself', async () => {
    const input = { invokeModel: { body: Buffer.from(JSON.stringify(body)).toString('base64') } };
    const model = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
    expect(await (await send({ input }, 'count-tokens', model)).json()).toEqual({
      inputTokens: expect.any(Number),
    });
    expect((await send({ input }, 'count-tokens')).status).toBe(400);
  });

  const image = (source: object) => [{ role: 'user', content: [{ type: 'image', source }] }];
  test.each<readonly [string, object, RegExp]>([
    ['no version', { ...body, anthropic_version: undefined }, /^anthropic_version: Field required/],
    ['the version of another place', { ...body, anthropic_version: '2023-06-01' }, /^anthropic_version/],
    ['a model', { ...body, model: 'claude-sonnet-4-5' }, /^model: Extra inputs are not permitted/],
    ['a stream', { ...body, stream: true }, /^stream: Extra inputs are not permitted/],
    ['a container', { ...body, container: 'container_1' }, /^container: Extra inputs/],
    ['an unknown beta', { ...body, anthropic_beta: ['claude-code-20250219'] }, /invalid beta flag/],
    ['a URL', { ...body, messages: image({ type: 'url', url: 'https://a.example/b.png' }) }, /^URL sources/],
    ['a search', { ...body, tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, /^tools\.0/],
    ['a field without its beta', { ...body, context_management: {} }, /: context_management: Extra inputs/],
  ])('refuses %s', async (_, given, words) => {
    const response = await send(given);
    expect([response.status, response.headers.get('x-amzn-errortype')]).toEqual([400, 'ValidationException']);
    expect(await response.json()).toEqual({ message: expect.stringMatching(words) });
  });
});
