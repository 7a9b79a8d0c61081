/** What is never cached: each row of the page on cached answers. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Tenancy } from '../../lib/stores/access/tenancy-fields.ts';
import { dryVerdictIn, miss, states, useCachedAnswers } from '../harness/cached-answers.ts';
import { putModels } from '../harness/matrix/catalog.ts';

const cached = useCachedAnswers();
const { upstream, newQuestion, newKey, ask } = cached;

const claude = 'anthropic/claude-haiku-4-5';
const openai = 'openai/gpt-4.1';

beforeAll(() =>
  putModels({
    'cached/kept': [{ provider: 'groq', upstreamId: 'kept', retainsData: false, collectsData: false }],
  }),
);

const chatPath = '/v1/chat/completions';
const user = (content: unknown) => ({ role: 'user', content });

const chat = (body: object) =>
  [chatPath, { model: 'cached/one', messages: [user(newQuestion())], ...body }] as const;
const responses = (body: object) =>
  ['/v1/responses', { model: openai, input: newQuestion(), ...body }] as const;
const messages = (body: object) =>
  ['/v1/messages', { model: claude, max_tokens: 100, messages: [user(newQuestion())], ...body }] as const;

type Request = readonly [path: string, body: object];

const url = 'https://example.com/cat.png';
const data = 'data:image/png;base64,iVBORw0KGgo=';
const image = (link: string) => user([{ type: 'image_url', image_url: { url: link } }]);

const bypassed: [reason: string, what: string, request: () => Request, tenancy?: Tenancy][] = [
  ['request', 'what the caller does not want to be', () => chat({}), { cache: { default: true } }],
  ['off', 'what the tenant has switched off', () => chat({}), { cache: { off: true } }],
  ['hosted_tools', 'a search of chat', () => chat({ model: claude, web_search_options: {} })],
  ['hosted_tools', 'a search of Responses', () => responses({ tools: [{ type: 'web_search' }] })],
  [
    'hosted_tools',
    'a tool that runs at OpenAI',
    () => responses({ tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }),
  ],
  [
    'hosted_tools',
    'a tool that runs at Anthropic',
    () => messages({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }),
  ],
  [
    'hosted_tools',
    'an MCP server',
    () => messages({ mcp_servers: [{ type: 'url', url: 'https://example.com', name: 'mcp' }] }),
  ],
  ['hosted_tools', 'moderation', () => chat({ moderation: { model: 'omni-moderation-latest' } })],
  ['hosted_tools', "a field of the provider's", () => chat({ model: claude, native_fields: { top_k: 5 } })],
  ['media', 'an image by its URL, in chat', () => chat({ messages: [image(url)] })],
  [
    'media',
    'an image by its URL, in Responses',
    () => responses({ input: [user([{ type: 'input_image', image_url: url }])] }),
  ],
  [
    'media',
    'an image by its URL, in Messages',
    () => messages({ messages: [user([{ type: 'image', source: { type: 'url', url } }])] }),
  ],
  [
    'media',
    'an image by its URL in the result of a tool',
    () =>
      messages({
        messages: [
          user('Look.'),
          { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
          user([
            {
              type: 'tool_result',
              tool_use_id: 'a',
              content: [{ type: 'image', source: { type: 'url', url } }],
            },
          ]),
        ],
        tools: [{ name: 'look', input_schema: { type: 'object' } }],
      }),
  ],
  [
    'zero_retention',
    'what must not be kept, by the request',
    () => chat({ model: 'cached/kept', provider: { zdr: true } }),
  ],
  [
    'zero_retention',
    'what must not be kept, by the policy',
    () => chat({ model: 'cached/kept' }),
    { dataPolicy: { zdr: true } },
  ],
  ['no_store', 'what the gateway must not store', () => chat({}), { dataPolicy: { noStore: true } }],
  ['too_large', 'a request above 1 MB', () => chat({ messages: [user('a'.repeat(1_100_000))] })],
];

test.each(bypassed)('%s: %s', async (reason, _, request, tenancy = {}) => {
  const { authorization } = await newKey({}, tenancy);
  const [path, body] = request();
  const headers = reason === 'request' ? { 'x-gateway-cache': 'false' } : {};
  const beta = { 'anthropic-beta': 'mcp-client-2025-11-20,files-api-2025-04-14' };
  const asked = { ...body, extra: { cache: {}, debug: ['cache'] } };
  const dry = { ...asked, extra: { ...asked.extra, dry_run: true } };
  const said = await ask(authorization, dry, { path, headers: { ...headers, ...beta } });
  expect([said.status, said.calls, dryVerdictIn(said.text)]).toEqual([200, 0, { status: 'bypass', reason }]);
  for (const _ of [1, 2]) {
    const answer = await ask(authorization, asked, { path, headers: { ...headers, ...beta } });
    expect({ ...answer, text: answer.status === 200 ? '' : answer.text }).toMatchObject({
      status: 200,
      cache: 'bypass',
      text: '',
    });
    expect(answer.calls).toBeGreaterThan(0);
    expect(JSON.parse(answer.text).debug.cache).toEqual({ status: 'bypass', reason });
  }
});

test('an image with its bytes is cached', async () => {
  const { authorization } = await newKey();
  const body = cached.chat(newQuestion(), { messages: [image(data)] });
  expect(states(await ask(authorization, body), await ask(authorization, body))).toEqual([miss, ['hit', 0]]);
});

const schema = {
  type: 'object',
  properties: { a: { type: 'number' } },
  required: ['a'],
  additionalProperties: false,
};
const format = { response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema } } };

const unkept: [what: string, choice: object, body?: object][] = [
  ['was cut off by its length', { finish_reason: 'length' }],
  ['was cut off by a filter', { finish_reason: 'content_filter' }],
  ['ended for a reason that is not known', { finish_reason: 'something_new' }],
  [
    'has a call whose arguments are cut off',
    {
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{"at":"R' } }],
      },
    },
  ],
  ['was refused', { message: { role: 'assistant', content: null, refusal: 'No.' } }],
  ['does not fit its schema', { message: { role: 'assistant', content: '{"a":"text"}' } }, format],
  [
    'is above 64 KB',
    {
      message: {
        role: 'assistant',
        content: randomBytes(80_000).toString('base64'),
      },
    },
  ],
];

describe.each([false, true])('streamed: %s, nothing is kept of an answer that', (stream) => {
  test.each(unkept)('%s', async (_, choice, more = {}) => {
    const { authorization } = await newKey();
    cached.answer({ choice });
    const body = cached.chat(newQuestion(), { ...more, stream });
    const both = [await ask(authorization, body), await ask(authorization, body)];
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(states(...both)).toEqual([miss, miss]);
  });

  test('was repaired', async () => {
    const { authorization } = await newKey();
    let calls = 0;
    upstream.script((request, response) => {
      calls += 1;
      cached.answer({ text: calls % 2 === 1 ? '{"a":"text"}' : '{"a":1}' });
      return cached.usual(request, response);
    });
    const body = cached.chat(newQuestion(), { ...format, stream, extra: { repair: true } });
    const both = [await ask(authorization, body), await ask(authorization, body)];
    expect(states(...both)).toEqual([
      ['miss', 2],
      ['miss', 2],
    ]);
    expect(both.map(({ headers }) => headers.get('x-gateway-schema'))).toEqual(['repaired', 'repaired']);
  });

  test('failed, or came from a fallback', async () => {
    const { authorization } = await newKey();
    upstream.script((request, response) =>
      request.body.model === 'one'
        ? void response
            .writeHead(400, { 'content-type': 'application/json' })
            .end('{"error":{"message":"No"}}')
        : cached.usual(request, response),
    );
    const alone = cached.chat(newQuestion(), { stream });
    expect((await ask(authorization, alone)).status).toBe(400);
    upstream.script((request, response) =>
      request.body.model === 'one' ? void response.writeHead(404).end() : cached.usual(request, response),
    );
    const body = cached.chat(newQuestion(), { stream, extra: { fallbacks: ['cached/other'] } });
    const fallen = await ask(authorization, body);
    expect([fallen.status, fallen.cache]).toEqual([200, 'miss']);
    upstream.script(cached.usual);
    expect(states(await ask(authorization, alone), await ask(authorization, body))).toEqual([miss, miss]);
  });
});
