/** Anthropic's SDK in both of its generations: texts, tools, thinking, the count of tokens, and the list of models. */
import type Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { describe, expect, test } from 'vitest';
import { anthropicSdks, bothGenerations, useAnthropic } from '../../harness/clients/sdk-anthropic.ts';
import { messageModels } from '../../harness/matrix/message-models.ts';
import { pixel } from '../../harness/matrix/providers.ts';

const client = useAnthropic();

const user = (content: string): Anthropic.MessageParam => ({ role: 'user', content });

const textOf = ({ content }: { readonly content: readonly object[] }): string =>
  content.map((block) => ('text' in block ? String(block.text) : '')).join('');
const callsOf = ({ content }: Anthropic.Message) => content.filter((block) => block.type === 'tool_use');
const thoughtsOf = ({ content }: Anthropic.Message) => content.filter(({ type }) => type === 'thinking');

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const;
const tools: Anthropic.Tool[] = ['get_weather', 'get_time'].map((name) => ({
  name,
  description: `The ${name.slice(4)} of a city`,
  input_schema: { ...city, required: ['city'], additionalProperties: false },
}));

const question = user('What is the weather in Oslo? sandbox call get_weather {"city": "Oslo"}');

type Result = Omit<Anthropic.ToolResultBlockParam, 'type' | 'tool_use_id'>;
const drizzle: Result = { content: 'Four degrees and drizzle.' };

/** The question, the answer with its calls, and a result for each. */
function continued(
  asked: Anthropic.MessageParam,
  answer: Anthropic.Message,
  results: readonly Result[] = [drizzle],
): Anthropic.MessageParam[] {
  const calls = callsOf(answer);
  expect(calls).toHaveLength(results.length);
  const content = calls.map(({ id }, index): Anthropic.ToolResultBlockParam => {
    return { type: 'tool_result', tool_use_id: id, ...results[index] };
  });
  return [asked, { role: 'assistant', content: answer.content }, { role: 'user', content }];
}

describe.each(anthropicSdks)('$sdk', (sdk) => {
  test.each(messageModels)('$family answers', async ({ model }) => {
    const asked = { model, max_tokens: 1000, messages: [user('Say zebra.')] };
    const message = await client(sdk).messages.create(asked);
    expect(message).toMatchObject({ type: 'message', role: 'assistant', model, stop_reason: 'end_turn' });
    expect(message.id).toMatch(/^msg_/);
    expect(message._request_id).toMatch(/^\w+/);
    expect(textOf(message)).toContain('zebra');
    expect(message.usage.input_tokens).toBeGreaterThan(0);
    expect(message.usage.output_tokens).toBeGreaterThan(0);
    expect(await client(sdk).models.retrieve(model)).toMatchObject({ id: model, type: 'model' });
  });

  test('lists models, page by page', async () => {
    const first = await client(sdk).models.list({ limit: 5 });
    expect(first.data).toHaveLength(5);
    expect(first.has_more).toBe(true);
    const all = await Array.fromAsync(client(sdk).models.list({ limit: 100 }));
    for (const model of all)
      expect(model).toMatchObject({
        type: 'model',
        display_name: expect.stringMatching(/./),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
    const ids = all.map(({ id }) => id);
    expect(ids.slice(0, 5)).toEqual(first.data.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(messageModels.map(({ model }) => model)));
  });

  test('finds Claude by the name without its owner', async () => {
    const asked = { model: 'claude-haiku-4-5', max_tokens: 10, messages: [user('Hello')] };
    expect((await client(sdk).messages.create(asked)).model).toBe('anthropic/claude-haiku-4-5');
  });
});

describe.each(bothGenerations)('$sdk', (sdk) => {
  // What differs by generation does not depend on who answers, but for Claude.
  const models = sdk === anthropicSdks[0] ? messageModels : messageModels.slice(0, 2);
  describe.each(models)('$family', ({ model, reasoning, takesImages }) => {
    const zebra = { model, max_tokens: 1000, messages: [user('Say zebra.')] };
    const asked = { model, max_tokens: 1000, tools };
    const create = (body: Anthropic.MessageCreateParamsNonStreaming) => client(sdk).messages.create(body);
    const stream = (body: Anthropic.MessageCreateParamsNonStreaming) =>
      client(sdk).messages.stream(body).finalMessage();

    test('streams what it answers whole', async () => {
      const pieces: string[] = [];
      const running = client(sdk).messages.stream(zebra);
      running.on('text', (piece) => pieces.push(piece));
      const { content, usage, stop_reason } = await running.finalMessage();
      const whole = await create(zebra);
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.join('')).toBe(textOf(whole));
      expect({ content, usage, stop_reason }).toEqual({
        content: whole.content,
        usage: whole.usage,
        stop_reason: whole.stop_reason,
      });
    });

    test('begins a stream with an estimate of the input', async () => {
      const messages = [user('It rained in the hills all week. '.repeat(200))];
      const events = await Array.fromAsync(
        await client(sdk).messages.create({ ...zebra, messages, stream: true }),
      );
      const first = events[0];
      const last = events.findLast(({ type }) => type === 'message_delta');
      if (first?.type !== 'message_start' || last?.type !== 'message_delta') throw new Error('Not a stream.');
      const { usage } = first.message;
      expect(usage.input_tokens).toBeGreaterThan(500);
      expect(usage.input_tokens).toBeLessThan(5000);
      expect(usage).toMatchObject({ cache_creation_input_tokens: 0, cache_read_input_tokens: 0 });
      expect(last.usage.output_tokens).toBeGreaterThan(0);
    });

    test('takes a system prompt in blocks and stops where asked', async () => {
      const message = await create({
        ...zebra,
        system: [
          { type: 'text', text: 'Answer briefly.' },
          { type: 'text', text: 'Name one animal.', cache_control: { type: 'ephemeral' } },
        ],
        stop_sequences: ['zebra'],
        metadata: { user_id: 'someone' },
      });
      expect(textOf(message)).not.toContain('zebra');
      expect(['stop_sequence', 'end_turn']).toContain(message.stop_reason);
      if (message.stop_reason === 'stop_sequence') expect(message.stop_sequence).toBe('zebra');
      expect((await create({ ...zebra, max_tokens: 16 })).stop_reason).toBe('max_tokens');
    });

    test('answers in JSON of a schema', async () => {
      const schema = { ...city, additionalProperties: false };
      const message = await create({ ...zebra, output_config: { format: { type: 'json_schema', schema } } });
      expect(JSON.parse(textOf(message))).toEqual({ city: expect.any(String) });
    });

    test('counts the tokens of a request', async () => {
      const count = async (times: number) => {
        const messages = [user('It rained in the hills all week. '.repeat(times))];
        const counted = { model, system: 'Answer briefly.', messages, tools };
        return (await client(sdk).messages.countTokens(counted)).input_tokens;
      };
      const [short, long] = [await count(1), await count(50)];
      expect(short).toBeGreaterThan(5);
      expect(long - short).toBeGreaterThan(200);
      expect(long - short).toBeLessThan(2000);
    });

    test('calls a tool and uses its result', async () => {
      const first = await create({ ...asked, messages: [question] });
      expect(first.stop_reason).toBe('tool_use');
      expect(callsOf(first)).toMatchObject([{ name: 'get_weather', input: { city: 'Oslo' } }]);
      const second = await create({ ...asked, messages: continued(question, first) });
      expect(second.stop_reason).toBe('end_turn');
      expect(textOf(second)).toContain('drizzle');
    });

    test('calls two tools at once in a stream, and accepts both results', async () => {
      const both = user(
        'Both, please: sandbox call get_weather {"city": "Oslo"}, sandbox call get_time {"city": "Rome"}',
      );
      const first = await stream({ ...asked, messages: [both] });
      expect(first.stop_reason).toBe('tool_use');
      expect(callsOf(first)).toMatchObject([
        { name: 'get_weather', input: { city: 'Oslo' } },
        { name: 'get_time', input: { city: 'Rome' } },
      ]);
      expect(new Set(callsOf(first).map(({ id }) => id)).size).toBe(2);
      const results = [drizzle, { content: 'Half past six.' }];
      const second = await stream({ ...asked, messages: continued(both, first, results) });
      expect(second.stop_reason).toBe('end_turn');
      for (const { content } of results) expect(textOf(second)).toContain(content);
    });

    test('calls the tool that is required, one at a time, or none', async () => {
      const forced = await create({
        ...asked,
        messages: [user('The time in Oslo?')],
        tool_choice: { type: 'tool', name: 'get_time', disable_parallel_tool_use: true },
      });
      expect(callsOf(forced)).toMatchObject([{ name: 'get_time' }]);
      expect(forced.stop_reason).toBe('tool_use');
      const none = await create({ ...asked, messages: [question], tool_choice: { type: 'none' } });
      expect([callsOf(none), none.stop_reason]).toEqual([[], 'end_turn']);
    });

    test('runs its tools with the defaults of the tool runner', async () => {
      const inputSchema = { type: 'object', properties: { city: { type: 'string' } } } as const;
      const run = ({ city: where }: { readonly city?: string }) => `Four degrees and drizzle in ${where}.`;
      const tool = betaTool({ name: 'get_weather', description: 'The weather', inputSchema, run });
      const { beta } = client(sdk);
      for (const streamed of [false, true]) {
        const settings = { ...asked, tools: [tool], messages: [question], stream: streamed };
        const done = await beta.messages.toolRunner(settings).runUntilDone();
        expect(textOf(done as Anthropic.Message)).toContain('drizzle in Oslo');
      }
    });

    const data = pixel.slice(pixel.indexOf(',') + 1);
    const picture: Result = {
      content: [
        { type: 'text', text: 'A picture of the sky.' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
      ],
    };
    const failed: Result = { content: 'The station is closed.', is_error: true };

    test.each([
      ['a failure of a tool', failed, 'The station is closed.'],
      ...(takesImages ? [['an image in a tool result', picture, 'I was shown 1 image.'] as const] : []),
    ] as const)('is given %s', async (_, result, words) => {
      const first = await create({ ...asked, messages: [question] });
      const second = await create({ ...asked, messages: continued(question, first, [result]) });
      expect(second.stop_reason).toBe('end_turn');
      expect(textOf(second)).toContain(words);
    });

    // The sandbox rejects reasoning with an invalid signature, as the providers do.
    describe('thinking', () => {
      const thinking = {
        model: reasoning,
        max_tokens: 8000,
        tools,
        thinking: { type: 'adaptive' as const },
        output_config: { effort: 'low' as const },
      };

      test.each([
        ['in a stream', stream],
        ['without one', create],
      ])('before a call is handed back with its result: %s', async (_, ask) => {
        const first = await ask({ ...thinking, messages: [question] });
        expect(thoughtsOf(first)).toMatchObject([
          { thinking: expect.any(String), signature: expect.stringMatching(/./) },
        ]);
        const second = await ask({ ...thinking, messages: continued(question, first) });
        expect(textOf(second)).toContain('drizzle');
      });

      test.each(models)('continues on $family', async ({ reasoning: other }) => {
        const first = await create({ ...thinking, messages: [question] });
        const second = await create({ ...thinking, model: other, messages: continued(question, first) });
        expect(textOf(second)).toContain('drizzle');
      });
    });
  });
});
