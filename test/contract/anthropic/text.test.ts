/** Anthropic's SDK: whole and streamed texts. */
import { describe, expect, test } from 'vitest';
import { anthropicSdks, bothGenerations, useAnthropic } from '../../harness/clients/sdk-anthropic.ts';
import { messageModels } from '../../harness/matrix/message-models.ts';

const client = useAnthropic();

const zebra = (model: string) => ({
  model,
  max_tokens: 1000,
  messages: [{ role: 'user' as const, content: 'Say zebra.' }],
});

const textOf = ({ content }: { readonly content: readonly object[] }): string =>
  content.map((block) => ('text' in block ? String(block.text) : '')).join('');

describe.each(anthropicSdks)('$sdk', (sdk) => {
  test.each(messageModels)('$family answers', async ({ model }) => {
    const message = await client(sdk).messages.create(zebra(model));
    expect(message).toMatchObject({ type: 'message', role: 'assistant', model, stop_reason: 'end_turn' });
    expect(message.id).toMatch(/^msg_/);
    expect(message._request_id).toMatch(/^\w+/);
    expect(textOf(message)).toContain('zebra');
    expect(message.usage.input_tokens).toBeGreaterThan(0);
    expect(message.usage.output_tokens).toBeGreaterThan(0);
  });
});

describe.each(bothGenerations)('$sdk', (sdk) => {
  test.each(messageModels)('$family streams what it answers whole', async ({ model }) => {
    const stream = client(sdk).messages.stream(zebra(model));
    const pieces: string[] = [];
    stream.on('text', (piece) => pieces.push(piece));
    const streamed = await stream.finalMessage();
    const whole = await client(sdk).messages.create(zebra(model));
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(textOf(whole));
    expect(streamed.content).toEqual(whole.content);
    expect(streamed.usage).toEqual(whole.usage);
    expect(streamed.stop_reason).toBe(whole.stop_reason);
  });

  test.each(messageModels)('$family begins a stream with an estimate of the input', async ({ model }) => {
    const asked = zebra(model);
    const long = [{ role: 'user' as const, content: 'It rained in the hills all week. '.repeat(200) }];
    const stream = await client(sdk).messages.create({ ...asked, messages: long, stream: true });
    const events = await Array.fromAsync(stream);
    const first = events[0];
    const last = events.findLast(({ type }) => type === 'message_delta');
    if (first?.type !== 'message_start' || last?.type !== 'message_delta') throw new Error('Not a stream.');
    const { usage } = first.message;
    expect(usage.input_tokens).toBeGreaterThan(500);
    expect(usage.input_tokens).toBeLessThan(5000);
    expect(usage).toMatchObject({ cache_creation_input_tokens: 0, cache_read_input_tokens: 0 });
    expect(last.usage.output_tokens).toBeGreaterThan(0);
  });

  test.each(messageModels)('$family takes a system prompt in blocks and stops where asked', async (row) => {
    const message = await client(sdk).messages.create({
      ...zebra(row.model),
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
  });

  test.each(messageModels)('$family ends at max_tokens', async ({ model }) => {
    const message = await client(sdk).messages.create({ ...zebra(model), max_tokens: 16 });
    expect(message.stop_reason).toBe('max_tokens');
  });

  test.each(messageModels)('$family answers in JSON of a schema', async ({ model }) => {
    const message = await client(sdk).messages.create({
      ...zebra(model),
      output_config: {
        format: {
          type: 'json_schema',
          schema: {
            type: 'object',
            properties: { animal: { type: 'string' } },
            required: ['animal'],
            additionalProperties: false,
          },
        },
      },
    });
    expect(JSON.parse(textOf(message))).toEqual({ animal: expect.any(String) });
  });
});
