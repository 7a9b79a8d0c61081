/** Reasoning is sent back to the model family that made it, byte for byte. The sandbox verifies every signature. */
import { describe, expect, test } from 'vitest';
import { readChatStream } from '../harness/chat-stream.ts';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const opus = 'anthropic/claude-opus-5';
const bedrockClaude = 'anthropic/claude-sonnet-5:bedrock';
const gemini = 'google/gemini-3.5-flash';
const families = [opus, bedrockClaude, gemini];

const gateway = useWatchedGateway(bedrockClaude);

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = ['weather', 'time'].map((name) => ({ type: 'function', function: { name, parameters } }));
const question = { role: 'user', content: 'Use both tools: sandbox call weather, sandbox call time' };
const asking = { tools, reasoning_effort: 'high', extra: { debug: ['normalizations'] } };

interface Detail {
  readonly type: string;
  readonly format: string;
  readonly id?: string;
  readonly signature?: string;
}

interface Call {
  readonly id: string;
  readonly extra_content?: object;
}

interface Message {
  readonly role: string;
  readonly reasoning_details: readonly Detail[];
  readonly tool_calls: readonly Call[];
}

async function post(body: object) {
  gateway.take();
  const response = await gateway.post('/v1/chat/completions', { ...asking, ...body });
  return { status: response.status, text: await response.text(), sent: gateway.take() };
}

async function ask(model: string, messages: readonly object[]) {
  const { status, text, sent } = await post({ model, messages });
  const body = JSON.parse(text);
  const message: Message = body.choices?.[0]?.message;
  return { status, message, changes: body.debug?.normalizations ?? [], upstream: Object(sent[0]?.body) };
}

/** Joins the chunks of a stream like a client that knows nothing about reasoning. */
async function askStreamed(model: string, messages: readonly object[]): Promise<Message> {
  const { text } = await post({ model, messages, stream: true });
  const seen = readChatStream(text).choices.get(0);
  const calls = seen?.calls.map(({ id, name, arguments: written }) => ({
    id,
    type: 'function',
    function: { name, arguments: written },
  }));
  const message = { role: 'assistant', content: seen?.content || null, reasoning_content: seen?.reasoning };
  return { ...message, reasoning_details: seen?.details, tool_calls: calls } as unknown as Message;
}

const results = (message: Message) =>
  message.tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'Fine.' }));

describe.each(families)('%s', (model) => {
  test.each([
    ['a body', async () => (await ask(model, [question])).message],
    ['a stream', () => askStreamed(model, [question])],
  ])('accepts its own reasoning from %s, with tool results', async (_, first) => {
    const message = await first();
    expect(message.reasoning_details.length).toBeGreaterThan(0);
    const next = await ask(model, [question, message, ...results(message)]);
    expect(next.status).toBe(200);
    expect(next.changes.map(({ param }: { param: string }) => param)).not.toContain(
      'messages.1.reasoning_details',
    );
    const nextBody = JSON.stringify(next.upstream);
    for (const { signature } of message.reasoning_details) {
      if (signature) expect(nextBody).toContain(JSON.stringify(signature));
    }
  });

  test('rejects a changed signature, so the sandbox does verify it', async () => {
    const { message } = await ask(model, [question]);
    const broken = JSON.parse(
      JSON.stringify(message).replaceAll(/"(signature|data|thought_signature)":"../g, '"$1":"xx'),
    );
    const next = await ask(model, [question, broken, ...results(message)]);
    // Gemini's rejection is remedied: its calls can be sent without signatures, and that is reported.
    expect(next.status).toBe(model === gemini ? 200 : 400);
    if (model === gemini)
      expect(next.changes).toContainEqual(
        expect.objectContaining({ param: 'messages.1.reasoning_details', action: 'strip' }),
      );
  });

  test.each(families.filter((other) => (other === gemini) !== (model === gemini)))(
    'its reasoning is omitted for %s, and that is reported',
    async (other) => {
      const { message } = await ask(model, [question]);
      const next = await ask(other, [question, message, ...results(message)]);
      expect(next.status).toBe(200);
      expect(next.changes).toContainEqual(
        expect.objectContaining({
          param: 'messages.1.reasoning_details',
          action: expect.stringMatching(/strip|override/),
        }),
      );
      for (const { signature } of message.reasoning_details) {
        if (signature) expect(JSON.stringify(next.upstream)).not.toContain(signature);
      }
    },
  );

  test('reasoning as plain text without details is not sent back, and that is reported', async () => {
    const said = { role: 'assistant', content: 'Hello.', reasoning_content: 'I greet.' };
    const next = await ask(model, [question, said, { role: 'user', content: 'Go on.' }]);
    expect(next.status).toBe(200);
    expect(next.changes).toContainEqual(expect.objectContaining({ param: 'messages.1.reasoning_content' }));
    expect(JSON.stringify(next.upstream)).not.toContain('I greet.');
  });
});

test.each([opus, bedrockClaude])(
  '%s does not get its own reasoning without a signature, and that is reported',
  async (model) => {
    const { message } = await ask(model, [question]);
    const details = message.reasoning_details.map(({ signature: _, ...rest }) => rest);
    const unsigned = { ...message, reasoning_details: details };
    const next = await ask(model, [question, unsigned, ...results(message)]);
    expect(next.status).toBe(200);
    expect(next.changes).toContainEqual(expect.objectContaining({ param: 'messages.1.reasoning_details' }));
  },
);

test('Claude on Bedrock accepts reasoning of Claude at Anthropic', async () => {
  const { message } = await ask(opus, [question]);
  const next = await ask(bedrockClaude, [question, message, ...results(message)]);
  expect(next.status).toBe(200);
  expect(JSON.stringify(next.upstream)).toContain(JSON.stringify(message.reasoning_details[0]?.signature));
});

test('another owner’s model on Bedrock does not get Claude’s reasoning, and that is reported', async () => {
  const { message } = await ask(opus, [question]);
  const next = await ask('amazon/nova-2-lite', [question, message, ...results(message)]);
  expect(next.status).toBe(200);
  expect(next.changes).toContainEqual(
    expect.objectContaining({ param: 'messages.1.reasoning_details', action: 'strip' }),
  );
  const signatures = message.reasoning_details.flatMap(({ signature }) => signature ?? []);
  expect(signatures).not.toEqual([]);
  for (const signature of signatures) expect(JSON.stringify(next.upstream)).not.toContain(signature);
});

describe('thought signatures of Gemini', () => {
  test('are also next to their call, and only the first of parallel calls has one', async () => {
    const { message } = await ask(gemini, [question]);
    expect(message.tool_calls.map((call) => call.extra_content !== undefined)).toEqual([true, false]);
    expect(message.reasoning_details).toMatchObject([
      { id: message.tool_calls[0]?.id, format: 'google-gemini-v1' },
    ]);
  });

  test('in a stream arrive with the first chunk of their call', async () => {
    const { text } = await post({ model: gemini, messages: [question], stream: true });
    const pieces = readChatStream(text).chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(pieces.filter((piece) => 'extra_content' in piece).map(({ id, index }) => [!!id, index])).toEqual([
      [true, 0],
    ]);
  });

  test('are sent back by clients that keep only the calls', async () => {
    const { message } = await ask(gemini, [question]);
    const { reasoning_details: _, ...kept } = message;
    const next = await ask(gemini, [question, kept, ...results(message)]);
    expect(next.status).toBe(200);
    expect(JSON.stringify(next.upstream)).not.toContain('skip_thought_signature_validator');
  });

  test('of another model’s calls are replaced by the documented placeholder', async () => {
    const call = { id: 'x', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    const next = await ask(gemini, [
      question,
      message,
      { role: 'tool', tool_call_id: 'x', content: 'Fine.' },
    ]);
    expect(next.status).toBe(200);
    expect(JSON.stringify(next.upstream)).toContain('skip_thought_signature_validator');
  });
});
