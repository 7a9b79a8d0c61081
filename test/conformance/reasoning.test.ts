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

test('Claude on Bedrock accepts reasoning of Claude at Anthropic', async () => {
  const { message } = await ask(opus, [question]);
  const next = await ask(bedrockClaude, [question, message, ...results(message)]);
  expect(next.status).toBe(200);
  expect(JSON.stringify(next.upstream)).toContain(JSON.stringify(message.reasoning_details[0]?.signature));
});
