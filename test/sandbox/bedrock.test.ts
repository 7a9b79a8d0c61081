/** The sandbox in the Bedrock Converse protocol. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bedrockHandler } from '../../sandbox/bedrock/handler.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { bothCalls, clientOf, readEventStream, weatherSample, weatherSchema } from './client.ts';

interface Block {
  readonly text?: string;
  readonly toolUse?: { readonly toolUseId: string; readonly name: string; readonly input: object };
  readonly reasoningContent?: {
    readonly reasoningText: { readonly text: string; readonly signature?: string };
  };
}

interface Answer {
  readonly output: { readonly message: { readonly content: readonly Block[] } };
  readonly stopReason: string;
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly totalTokens: number;
  };
}

interface Event {
  readonly contentBlockIndex?: number;
  readonly delta?: {
    readonly text?: string;
    readonly toolUse?: { readonly input: string };
    readonly reasoningContent?: { readonly text?: string; readonly signature?: string };
  };
  readonly stopReason?: string;
  readonly usage?: object;
}

const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const messages = [user({ text: 'Hello, sandbox' })];
const spec = (name: string, json: object) => ({
  toolSpec: { name, description: name, inputSchema: { json } },
});
const tools = [spec('get_weather', weatherSchema), spec('get_time', { type: 'object', properties: {} })];
const thinking = { thinking: { type: 'enabled', budget_tokens: 1_024 } };
const nova = 'us.amazon.nova-lite-v1:0';
const claude = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';

describe('the Bedrock sandbox', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    const route = { provider: 'bedrock', base: '/bedrock', handle: bedrockHandler };
    sandbox = await startSandbox([route], { pauseMs: 1 });
  });
  afterAll(async () => await sandbox.close());

  const post = clientOf(() => `${sandbox.url}/bedrock/model`, { authorization: 'Bearer sandbox' });
  const send = (fields: object, model = nova, action = 'converse') =>
    post(`/${encodeURIComponent(model)}/${action}`, { messages, ...fields });
  const complete = async (fields: object, model = nova) =>
    (await (await send(fields, model)).json()) as Answer;
  const stream = async (fields: object, model = nova) => {
    const response = await send(fields, model, 'converse-stream');
    expect(response.headers.get('content-type')).toBe('application/vnd.amazon.eventstream');
    return readEventStream<Event>(Buffer.from(await response.arrayBuffer()));
  };
  const contentOf = ({ output }: Answer) => output.message.content;

  test('streams the blocks of the body; usage comes after the stop', async () => {
    const fields = { additionalModelRequestFields: thinking };
    const answer = await complete(fields, claude);
    const events = await stream(fields, claude);
    const kinds = events.map(({ event }) => event.replace('contentBlockDelta', '.')).join(' ');
    expect(kinds).toMatch(
      /^messageStart (\. )+contentBlockStop (\. )+contentBlockStop messageStop metadata$/,
    );
    const deltas = events.map(({ data }) => data.delta ?? {});
    const { text, signature } = contentOf(answer)[0]?.reasoningContent?.reasoningText ?? {};
    expect(deltas.map(({ reasoningContent }) => reasoningContent?.text ?? '').join('')).toBe(text);
    expect(deltas.find((one) => one.reasoningContent?.signature)?.reasoningContent?.signature).toBe(
      signature,
    );
    expect(deltas.map((delta) => delta.text ?? '').join('')).toBe(contentOf(answer)[1]?.text);
    expect(events.at(-1)?.data.usage).toEqual(answer.usage);
    const { inputTokens, outputTokens, totalTokens } = answer.usage;
    expect(totalTokens).toBe(inputTokens + outputTokens);
  });

  test('calls functions, in parallel and by name, and streams their input in parts', async () => {
    const parallel = { toolConfig: { tools }, messages: [user({ text: bothCalls })] };
    const answer = await complete(parallel);
    expect(answer.stopReason).toBe('tool_use');
    expect(contentOf(answer).map(({ toolUse }) => toolUse)).toEqual([
      { toolUseId: expect.any(String), name: 'get_weather', input: weatherSample },
      { toolUseId: expect.any(String), name: 'get_time', input: {} },
    ]);
    const events = await stream(parallel);
    const input = (index: number) =>
      events
        .filter(({ data }) => data.contentBlockIndex === index)
        .map(({ data }) => data.delta?.toolUse?.input ?? '')
        .join('');
    expect([input(0), input(1)].map((text) => JSON.parse(text))).toEqual([weatherSample, {}]);
    expect(events.filter(({ event }) => event === 'contentBlockStart')).toHaveLength(2);
    const named = await complete({ toolConfig: { tools, toolChoice: { tool: { name: 'get_time' } } } });
    expect(contentOf(named).map(({ toolUse }) => toolUse?.name)).toEqual(['get_time']);
  });

  test('does not call a tool that the request rules out', async () => {
    const toolSpec = {
      ...spec('get_time', { type: 'object' }).toolSpec,
      description: 'It cannot be called any more.',
    };
    const { stopReason } = await complete({
      toolConfig: { tools: [{ toolSpec }] },
      messages: [user({ text: 'sandbox call get_time' })],
    });
    expect(stopReason).toBe('end_turn');
  });

  test('quotes the result of a function, and takes its own reasoning back unchanged only', async () => {
    const asked = [user({ text: 'sandbox call get_weather' })];
    const fields = { toolConfig: { tools }, additionalModelRequestFields: thinking, messages: asked };
    const [reasoning, call] = contentOf(await complete(fields, claude));
    const toolResult = { toolUseId: call?.toolUse?.toolUseId, content: [{ text: 'Sunny, 22 degrees' }] };
    const turns = (block: unknown) => ({
      ...fields,
      messages: [...asked, assistant(block, call), user({ toolResult })],
    });
    expect(contentOf(await complete(turns(reasoning), claude)).at(-1)?.text).toContain('Sunny, 22 degrees');
    const { signature } = reasoning?.reasoningContent?.reasoningText ?? {};
    const changed = { reasoningContent: { reasoningText: { text: 'changed', signature } } };
    expect((await send(turns(changed), claude)).status).toBe(400);
  });

  const call = { toolUse: { toolUseId: 'x', name: 'get_time', input: {} } };
  const result = { toolResult: { toolUseId: 'x', content: [{ text: 'y' }] } };
  test.each([
    ['an unknown field', { seed: 1 }, /seed/],
    ['an unknown setting', { inferenceConfig: { topK: 1 } }, /topK/],
    ['two user messages in a row', { messages: [...messages, ...messages] }, /must alternate/],
    ['an assistant who begins', { messages: [assistant({ text: 'x' })] }, /must start with a user message/],
    ['a blank text', { messages: [user({ text: ' ' })] }, /is blank/],
    ['a temperature over 1', { inferenceConfig: { temperature: 1.5 } }, /inferenceConfig\.temperature/],
    [
      'tool blocks without tools',
      { messages: [...messages, assistant(call), user(result)] },
      /toolConfig field must be/,
    ],
    [
      'a lost result',
      { toolConfig: { tools }, messages: [...messages, assistant(call), ...messages] },
      /Expected toolResult/,
    ],
    ['an orphan result', { toolConfig: { tools }, messages: [user(result)] }, /exceeds the number/],
    ['no tools in a tool configuration', { toolConfig: { tools: [] } }, /toolConfig\.tools/],
    [
      'an image by URL',
      { messages: [user({ image: { format: 'png', source: { url: 'https://x' } } })] },
      /base64 bytes/,
    ],
  ])('refuses %s as Bedrock does', async (_, fields, message) => {
    const response = await send(fields);
    expect(response.status).toBe(400);
    expect(response.headers.get('x-amzn-errortype')).toBe('ValidationException');
    expect(await response.json()).toEqual({ message: expect.stringMatching(message) });
  });

  test('does not know the models of others, and asks for a key or a signature', async () => {
    expect((await send({}, 'gpt-4.1')).status).toBe(400);
    expect((await post(`/${nova}/converse`, { messages }, {})).status).toBe(403);
    const signature = `AWS4-HMAC-SHA256 Credential=x, SignedHeaders=host, Signature=${'0'.repeat(64)}`;
    expect((await post(`/${nova}/converse`, { messages }, { authorization: signature })).status).toBe(200);
  });
});
