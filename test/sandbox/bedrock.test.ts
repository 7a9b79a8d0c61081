/** The sandbox of Bedrock: Converse, Claude by InvokeModel, and the ids of models that it refuses in the calling region. */
import { describe, expect, test } from 'vitest';
import { bothCalls, readEventStream, useSandbox, weatherSample, weatherSchema } from './client.ts';

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

const post = useSandbox()('/bedrock/model', { authorization: 'Bearer sandbox' });

describe('the Bedrock sandbox', () => {
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

const signedIn = (region: string) =>
  `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261122/${region}/bedrock/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`;

async function call(id: string, authorization: string, action = 'converse'): Promise<string> {
  const fields = action === 'invoke' ? { texts: ['Hello'], input_type: 'search_query' } : { messages };
  const response = await post(`/${encodeURIComponent(id)}/${action}`, fields, { authorization });
  const text = await response.text();
  return response.status === 200 ? 'answered' : text;
}

const onDemand = 'with on-demand throughput isn’t supported';
const invalid = 'The provided model identifier is invalid.';

test.each([
  ['anthropic.claude-haiku-4-5-20251001-v1:0', 'us-east-1', onDemand],
  ['amazon.nova-2-lite-v1:0', 'eu-central-1', onDemand],
  ['jp.anthropic.claude-opus-4-8', 'us-east-1', invalid],
  ['us.anthropic.claude-opus-4-8', 'eu-central-1', invalid],
  ['au.anthropic.claude-fable-5', 'ap-southeast-2', invalid],
  ['eu.anthropic.claude-opus-4-8', 'eu-central-1', 'answered'],
  ['global.anthropic.claude-opus-4-8', 'sa-east-1', 'answered'],
  ['amazon.some-other-v1:0', 'us-east-1', 'answered'],
])('%s, called from %s: %s', async (id, region, expected) => {
  expect(await call(id, signedIn(region))).toContain(expected);
});

test('with a key, whose region is not known, only ids that no region has', async () => {
  expect(await call('jp.anthropic.claude-opus-4-8', 'Bearer sandbox')).toBe('answered');
  expect(await call('anthropic.claude-opus-4-8', 'Bearer sandbox')).toContain(onDemand);
});

test('embeds by a profile', async () => {
  expect(await call('us.cohere.embed-v4:0', signedIn('us-east-1'), 'invoke')).toBe('answered');
  expect(await call('us.cohere.embed-v4:0', signedIn('eu-west-1'), 'invoke')).toContain(invalid);
});
