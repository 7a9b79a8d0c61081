/** Claude where others serve it, with the sandbox as the provider: each refuses what that provider refuses. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { addPinnedModels } from '../../harness/matrix/pinned-models.ts';
import { pixel } from '../../harness/matrix/providers.ts';
import { askMessages, type Json, type MessageSeen } from '../../harness/messages.ts';
import { comparable } from '../../harness/messages-blocks.ts';

const places = ['anthropic/claude-sonnet-4-6:bedrock', 'anthropic/claude-sonnet-4-6:google-vertex-anthropic'];

const gateway = useGateway();
beforeAll(() => addPinnedModels(...places));

const original = { isOriginal: true };
const tools = ['get_weather', 'get_time'].map((name) => ({
  name,
  description: `The ${name.slice(4)} of a city`,
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  cache_control: { type: 'ephemeral', ttl: '1h' },
}));

const user = (content: unknown) => ({ role: 'user', content });

/** The betas of Claude Code, some of which only Anthropic itself takes. */
const betas =
  'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,prompt-caching-scope-2026-01-05';

describe.each(places)('%s', (model) => {
  describe.each([true, false])('streamed: %s', (stream) => {
    const ask = (body: Json) => askMessages(gateway(), { model, stream, ...body }, original);

    test('answers', async () => {
      const message = await ask({ messages: [user('Hello.')] });
      expect(message).toMatchObject({ model, stop_reason: 'end_turn', content: [{ type: 'text' }] });
      expect(message.usage).toMatchObject({ cache_read_input_tokens: 0 });
    });

    test('thinks, calls two tools and uses their results', async () => {
      const thinking = { type: 'enabled', budget_tokens: 1024 };
      const question = user('sandbox call get_weather {"city": "Oslo"} and get_time {"city": "Oslo"}');
      const asked = { max_tokens: 4000, thinking, tools };
      const first = await ask({ ...asked, messages: [question] });
      expect(first.stop_reason).toBe('tool_use');
      const calls = first.content.filter(({ type }) => type === 'tool_use');
      expect(first.content[0]).toMatchObject({ type: 'thinking', signature: expect.stringMatching(/./) });
      const results = calls.map(({ id }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: 'Rain at noon.',
      }));
      const turn = { role: 'assistant', content: first.content };
      const second = await ask({ ...asked, messages: [question, turn, user(results)] });
      expect(second.stop_reason).toBe('end_turn');
      expect(textOf(second)).toContain('Rain at noon.');
    });

    test('sees pictures, also those that a tool found', async () => {
      const source = { type: 'base64', media_type: 'image/png', data: pixel.split(',')[1] };
      const image = { type: 'image', source };
      const call = { type: 'tool_use', id: 'toolu_1', name: 'get_time', input: { city: 'Oslo' } };
      const found = { type: 'tool_result', tool_use_id: 'toolu_1', content: [image] };
      await ask({ tools, messages: [user([image, { type: 'text', text: 'What is it?' }])] });
      await ask({ tools, messages: [user('When?'), { role: 'assistant', content: [call] }, user([found])] });
    });
  });

  test('says the same streamed and not', async () => {
    const body = { model, messages: [user('Tell me of the sea.')] };
    const [streamed, whole] = [
      await askMessages(gateway(), { ...body, stream: true }, original),
      await askMessages(gateway(), body, original),
    ];
    expect(comparable(streamed)).toEqual(comparable(whole));
  });

  test('answers a client whose betas it does not all have', async () => {
    const scoped = { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', scope: 'global' } };
    const body = { model, max_tokens: 100, system: [scoped], messages: [user('Hello.')] };
    const response = await gateway().post(
      '/v1/messages',
      { ...body, extra: { debug: ['normalizations'] } },
      { 'anthropic-beta': betas },
    );
    const { debug } = (await response.json()) as { debug: { normalizations: readonly { param: string }[] } };
    expect([response.status, debug]).toMatchObject([200, expect.anything()]);
    expect(debug.normalizations.map(({ param }) => param)).toEqual(['anthropic-beta', 'cache_control.scope']);
  });

  test('counts tokens', async () => {
    const response = await gateway().post('/v1/messages/count_tokens', {
      model,
      tools,
      messages: [user('Hello.')],
    });
    expect([response.status, response.headers.get('x-gateway-estimated')]).toEqual([200, null]);
    expect(await response.json()).toEqual({ input_tokens: expect.any(Number) });
  });

  test('repeats the words of a refusal', async () => {
    const messages = [
      user('Hello.'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a b', name: 'x', input: {} }] },
    ];
    const response = await gateway().post('/v1/messages', { model, max_tokens: 9, messages });
    const { error } = (await response.json()) as { error: { type: string; message: string } };
    expect([response.status, error.type]).toEqual([400, 'invalid_request_error']);
    expect(error.message).toMatch(/^messages\.1/);
  });
});

const textOf = ({ content }: MessageSeen) => content.map(({ text = '' }) => text).join('');
