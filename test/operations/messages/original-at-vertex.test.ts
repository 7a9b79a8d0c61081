/** An original at a place of Claude's that has the protocol with differences: Vertex. */
import { describe, expect, test } from 'vitest';
import { message } from '../../harness/first-lane.ts';
import { startMediaGateway } from '../../harness/gateways/media-gateway.ts';
import { answerJson } from '../../harness/upstream.ts';
import { use } from '../../harness/use.ts';

const gateway = use(() =>
  startMediaGateway(
    {},
    {
      operation: 'messages',
      provider: 'google-vertex-anthropic',
      settings: {
        GOOGLE_VERTEX_PROJECT: 'acme',
        GOOGLE_VERTEX_LOCATION: 'europe-west1',
        GOOGLE_VERTEX_API_KEY: 'a-token',
      },
    },
  ),
);

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUg==', 'base64');
const pdf = Buffer.from('%PDF-1.7 x');
const extra = { debug: ['normalizations'] };

async function ask(body: object, headers: Record<string, string> = {}) {
  const given = { model: 'media/first', max_tokens: 100, extra, ...body };
  const response = await gateway.post(given, {
    headers: {
      authorization: `Bearer ${gateway.apiKey}`,
      'content-type': 'application/json',
      ...headers,
    },
  });
  const text = await response.text();
  expect([response.status, text]).toEqual([200, text]);
  const { debug } = JSON.parse(text) as { debug: { normalizations: readonly { readonly param: string }[] } };
  return { sent: gateway.provider.requests, changes: debug.normalizations.map(({ param }) => param) };
}

const hello = [{ role: 'user', content: 'Hello.' }];

test('the model is in the path, the version in the body, betas in the header', async () => {
  gateway.provider.script(answerJson(message));
  const betas = 'context-management-2025-06-27';
  const { sent, changes } = await ask({ messages: hello, unheard_of: 1 }, { 'anthropic-beta': betas });
  expect(sent[0]?.path).toMatch(/publishers\/anthropic\/models\/first:rawPredict$/);
  expect(sent[0]?.body).toEqual({
    anthropic_version: 'vertex-2023-10-16',
    max_tokens: 100,
    messages: hello,
    unheard_of: 1,
  });
  expect(sent[0]?.headers['anthropic-beta']).toBe(betas);
  expect(sent[0]?.headers).not.toHaveProperty('anthropic-version');
  expect(changes).toEqual([]);
});

describe('betas that it does not know', () => {
  const long = 'mid-conversation-tool-changes-2026-07-01';
  const refuses: Parameters<typeof gateway.provider.script>[0] = async (request, response) => {
    const given = String(request.headers['anthropic-beta'] ?? '').split(',');
    const unknown = given.filter((name) => ['unheard-of-2026-01-01', long].includes(name));
    const error = {
      type: 'invalid_request_error',
      message: `Unexpected value(s) ${unknown.map((name) => `\`${name}\``).join(', ')} for the \`anthropic-beta\` header. Please consult our documentation.`,
    };
    const [status, body] = unknown.length > 0 ? [400, { type: 'error', error }] : [200, message];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

  test('are left out, on record', async () => {
    gateway.provider.script(refuses);
    const betas = `unheard-of-2026-01-01,effort-2025-11-24,${long}`;
    const { sent, changes } = await ask({ messages: hello }, { 'anthropic-beta': betas });
    expect(sent.map(({ headers }) => headers['anthropic-beta'])).toEqual([betas, 'effort-2025-11-24']);
    expect(changes).toEqual(['anthropic-beta']);
  });
});

test('what it does not fetch is fetched, wherever it stands, on record', async () => {
  gateway.provider.script(answerJson(message));
  gateway.media.answer((request, response) => {
    response.end(request.url === '/a.png' ? png : pdf);
  });
  const cache_control = { type: 'ephemeral' };
  const image = (source: object) => ({ type: 'image', source, cache_control });
  const document = (source: object) => ({ type: 'document', source, title: 'Paper' });
  const url = (path: string) => ({ type: 'url', url: `${gateway.media.url}${path}` });
  const conversation = (picture: object, paper: object) => [
    { role: 'user', content: [image(picture), { type: 'text', text: 'See.' }, document(paper)] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [image(picture)] }] },
  ];
  const { sent, changes } = await ask({ messages: conversation(url('/a.png'), url('/b.pdf')) });
  const base64 = (media_type: string, bytes: Buffer) => ({
    type: 'base64',
    media_type,
    data: bytes.toString('base64'),
  });
  expect(sent[0]?.body.messages).toEqual(
    conversation(base64('image/png', png), base64('application/pdf', pdf)),
  );
  expect(gateway.media.asked.toSorted()).toEqual(['/a.png', '/b.pdf']);
  expect(changes).toEqual([
    'messages.0.content.0.source',
    'messages.0.content.2.source',
    'messages.2.content.0.content.0.source',
  ]);
});
