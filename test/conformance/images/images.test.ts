/** Image input in each protocol: a link, or bytes with their actual type. */
import { describe, expect, test } from 'vitest';
import { useWatchedGateway } from '../../harness/gateways/watched-gateway.ts';
import { pixel } from '../../harness/matrix/providers.ts';

const textResultProviders = ['openai', 'xai', 'moonshot', 'minimax', 'openrouter', 'cohere'];

const gateway = useWatchedGateway(...textResultProviders);

const bytes = pixel.slice(pixel.indexOf(',') + 1);
const link = 'https://example.com/zebra.png';

interface Row {
  readonly model: string;
  /** The pixel in the protocol. */
  readonly image: object;
  /** A link in the protocol; absent if the provider takes only bytes. */
  readonly link?: object;
}

const rows: readonly Row[] = [
  {
    model: 'anthropic/claude-haiku-4-5',
    image: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: bytes } },
    link: { type: 'image', source: { type: 'url', url: link } },
  },
  { model: 'google/gemini-2.5-flash', image: { inlineData: { mimeType: 'image/png', data: bytes } } },
  { model: 'amazon/nova-pro', image: { image: { format: 'png', source: { bytes } } } },
];

const tools = [{ type: 'function', function: { name: 'look' } }];
const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };
const imagePart = (url: string) => ({ type: 'image_url', image_url: { url } });

const asUser = (url: string) => [
  { role: 'user', content: [{ type: 'text', text: 'Look.' }, imagePart(url)] },
];
const asResult = (url: string) => [
  { role: 'user', content: 'Look.' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'Here.' }, imagePart(url)] },
];

async function send(model: string, messages: readonly object[]) {
  gateway.take();
  const response = await gateway.post('/v1/chat/completions', { model, tools, messages });
  const body = JSON.parse(await response.text());
  return { status: response.status, error: body.error, sent: JSON.stringify(gateway.take()[0]?.body) };
}

const positions = [
  ['a message', asUser, 'messages.0.content.1.image_url.url'],
  ['a tool result', asResult, 'messages.2.content.1.image_url.url'],
] as const;

describe.each(rows)('$model', ({ model, image, link: linked }) => {
  describe.each(positions)('in %s', (_, messages, param) => {
    test.each(['image/png', 'image/jpeg', 'application/octet-stream'])(
      'the provider gets an image declared as %s with its actual type',
      async (declared) => {
        const { status, sent } = await send(model, messages(`data:${declared};base64,${bytes}`));
        expect(status).toBe(200);
        expect(sent).toContain(JSON.stringify(image));
      },
    );

    test('an invalid image is rejected with the path of the part', async () => {
      const { status, error, sent } = await send(
        model,
        messages(`data:image/png;base64,${btoa('no picture')}`),
      );
      expect([status, error.param, sent]).toEqual([400, param, undefined]);
    });

    if (linked)
      test('the provider gets a link unchanged', async () => {
        const { status, sent } = await send(model, messages(link));
        expect(status).toBe(200);
        expect(sent).toContain(JSON.stringify(linked));
      });
    else
      test.each([
        ['to this machine', 'https://127.0.0.1/zebra.png'],
        ['to the metadata service', 'https://169.254.169.254/latest/meta-data'],
        ['to a private network', 'https://[fd00::1]/zebra.png'],
        ['without encryption', 'http://example.com/zebra.png'],
      ])('a link %s is rejected with the path of the part', async (_, url) => {
        const { status, error, sent } = await send(model, messages(url));
        expect([status, error.param, sent]).toEqual([400, param, undefined]);
      });
  });
});

describe.each([
  'openai/gpt-4.1',
  'xai/grok-4.7',
  'moonshotai/kimi-k2.6',
  'minimax/MiniMax-M3',
  'meta/llama-4-maverick',
  'cohere/command-a-plus-05-2026',
])('%s, which supports only text as a tool result,', (model) => {
  test('gets an image in a tool result as a following user message, and that is reported', async () => {
    gateway.take();
    const messages = asResult(`data:image/png;base64,${bytes}`);
    const response = await gateway.post('/v1/chat/completions', {
      ...{ model, tools, messages },
      extra: { debug: ['normalizations'] },
    });
    const body = JSON.parse(await response.text());
    expect([response.status, body.error]).toEqual([200, undefined]);
    const sent: { role: string; content: unknown }[] = JSON.parse(
      JSON.stringify(gateway.take()[0]?.body),
    ).messages;
    expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(JSON.stringify(sent[3]?.content)).toContain(bytes);
    expect(JSON.stringify(sent[2]?.content)).not.toContain(bytes);
    // OpenAI also gets a cache key.
    const changed = body.debug.normalizations.filter(({ action }: { action: string }) => action !== 'add');
    expect(changed).toMatchObject([
      { param: 'messages.2.content.1', before: { role: 'tool' }, after: { role: 'user' } },
    ]);
  });
});

test.each([
  ['in a tool result', [...asResult('https://127.0.0.1/zebra.png')], 'messages.2.content.1'],
  ['after one', [...asResult(pixel), ...asUser('https://127.0.0.1/zebra.png')], 'messages.3.content.1'],
])('a link that cannot be fetched is rejected with the caller’s path: %s', async (_, messages, param) => {
  const { status, error } = await send('moonshotai/kimi-k2.6', messages);
  expect([status, error.param]).toEqual([400, `${param}.image_url.url`]);
});
