/** A conversation in chat over the Responses protocol: reasoning, calls, streams and what only chat has. */
import { describe, expect, test } from 'vitest';
import { readChatStream } from '../../harness/chat-stream.ts';
import { useWatchedGateway } from '../../harness/gateways/watched-gateway.ts';

const azure = 'openai/gpt-5.5:azure';
const gateway = useWatchedGateway(azure, 'openai/gpt-4o:azure');

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = ['weather', 'time'].map((name) => ({ type: 'function', function: { name, parameters } }));
const question = { role: 'user', content: 'Use both tools: sandbox call weather, sandbox call time' };

interface Detail {
  readonly type: string;
  readonly format: string;
  readonly data?: string;
}

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly reasoning_content?: string;
  readonly reasoning_details?: readonly Detail[];
  readonly tool_calls: readonly { readonly id: string; readonly function: { readonly name: string } }[];
}

async function post(model: string, messages: readonly object[], more: object = {}) {
  gateway.take();
  const extra = { debug: ['normalizations', 'routing'] };
  const response = await gateway.post('/v1/chat/completions', { model, messages, tools, extra, ...more });
  const text = await response.text();
  return { status: response.status, text, sent: gateway.take() };
}

async function ask(model: string, messages: readonly object[], more: object = {}) {
  const { status, text, sent } = await post(model, messages, more);
  const body = JSON.parse(text);
  const message: Message = body.choices?.[0]?.message;
  const upstream = Object(sent.at(-1)?.body);
  return { status, body, message, upstream, sent, changes: body.debug?.normalizations ?? [] };
}

const first = { tool_choice: 'required' };
const results = (message: Message) =>
  message.tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'Fine.' }));

describe.each(['openai/gpt-5.5', azure, 'openai/gpt-6-astra'])('%s', (model) => {
  test('shows its reasoning, and gets it back with the results', async () => {
    const { message } = await ask(model, [question], first);
    expect(message.reasoning_content).toContain('The last message says');
    const encrypted = message.reasoning_details?.find(({ type }) => type === 'reasoning.encrypted');
    expect(encrypted?.data).toBeTruthy();
    const next = await ask(model, [question, message, ...results(message)]);
    expect(next.status).toBe(200);
    expect(next.sent[0]?.path).toBe('/responses');
    expect(next.upstream.input[1]).toMatchObject({
      type: 'reasoning',
      encrypted_content: encrypted?.data,
    });
    expect(next.upstream).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
    expect(JSON.stringify(next.changes)).not.toContain('messages.1');
  });

  test('gets its reasoning back also without tools', async () => {
    const { message } = await ask(model, [question], first);
    const said = { ...message, tool_calls: undefined, content: 'Hello.' };
    const next = await ask(model, [question, said, question], { tools: undefined });
    expect([next.status, next.sent[0]?.path]).toEqual([200, '/responses']);
    expect(JSON.stringify(next.upstream.input)).toContain('encrypted_content');
  });

  test('answers the same in a stream, with its usage', async () => {
    const whole = await ask(model, [question], first);
    const { text, sent } = await post(model, [question], {
      ...first,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(Object(sent[0]?.body).stream).toBe(true);
    const { choices, usage } = readChatStream(text);
    const seen = choices.get(0);
    expect(seen?.calls.map(({ name }) => name)).toEqual(['weather', 'time']);
    expect(seen?.reasoning).toBe(whole.message.reasoning_content);
    expect(seen?.details).toHaveLength(whole.message.reasoning_details?.length ?? 0);
    expect(seen?.finish).toBe('tool_calls');
    expect(usage).toEqual(whole.body.usage);
    expect(whole.body.usage.completion_tokens_details.reasoning_tokens).toBeGreaterThan(0);
  });
});

const schema = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };

test.each(['openai/gpt-5.5', azure])('%s answers by a schema beside tools', async (model) => {
  const json_schema = { name: 'reply', strict: true, schema: { ...schema, additionalProperties: false } };
  const { message } = await ask(model, [question], first);
  const { status, body } = await ask(model, [question, message, ...results(message)], {
    response_format: { type: 'json_schema', json_schema },
  });
  expect(status).toBe(200);
  expect(Object.keys(JSON.parse(body.choices[0].message.content))).toEqual(['answer']);
});

test('parameters of chat that Responses lacks are left out on record, the others are translated', async () => {
  const { status, upstream, changes } = await ask('openai/gpt-5.5', [question], {
    ...first,
    stop: ['END'],
    seed: 7,
    max_tokens: 5,
    user: 'u',
    store: true,
    metadata: { a: 'b' },
    service_tier: 'flex',
    parallel_tool_calls: false,
  });
  expect(status).toBe(200);
  expect(upstream).toMatchObject({
    max_output_tokens: 16,
    user: 'u',
    store: true,
    metadata: { a: 'b' },
    service_tier: 'flex',
    parallel_tool_calls: false,
    tool_choice: 'required',
  });
  const seen = changes.map(({ param, action }: { param: string; action: string }) => [param, action]);
  expect(seen.toSorted()).toEqual([
    ['max_tokens', 'override'],
    ['reasoning.summary', 'add'],
    ['seed', 'strip'],
    ['stop', 'strip'],
  ]);
});

test('log probabilities are asked for and come back', async () => {
  const { status, body, upstream } = await ask('openai/gpt-5.5-pro', [question], { tools: undefined });
  expect(status).toBe(200);
  expect(upstream.input[0]).toMatchObject({ role: 'user' });
  expect(body.choices[0]).toMatchObject({ finish_reason: 'stop', logprobs: null });
  const asked = { tools: undefined, logprobs: true, top_logprobs: 2, reasoning_effort: 'none' };
  const probable = await ask('openai/gpt-5.3-codex', [question], asked);
  expect(probable.upstream.include).toContain('message.output_text.logprobs');
  expect(probable.body.choices[0].logprobs.content.length).toBeGreaterThan(0);
});

describe('another model continues', () => {
  test('without the reasoning that it cannot read, which is reported', async () => {
    const { message } = await ask('openai/gpt-5.5', [question], first);
    for (const model of ['anthropic/claude-opus-5', 'google/gemini-3.5-flash', azure]) {
      const next = await ask(model, [question, message, ...results(message)]);
      expect(next.status).toBe(200);
      expect(JSON.stringify(next.upstream)).not.toContain(message.reasoning_details?.at(-1)?.data);
      expect(next.changes).toContainEqual(
        expect.objectContaining({ param: 'messages.1.reasoning_details', action: 'strip' }),
      );
    }
  });

  test('that does not reason, in chat', async () => {
    const { message } = await ask('openai/gpt-5.5', [question], first);
    const next = await ask('openai/gpt-4.1', [question, message, ...results(message)]);
    expect([next.status, next.sent[0]?.path]).toEqual([200, '/chat/completions']);
    expect(next.changes).toContainEqual(
      expect.objectContaining({ param: 'messages.1.reasoning_details', action: 'strip' }),
    );
  });

  test.each([
    ['openai/gpt-4.1', 'Reasoning can be returned only to a model that reasons.'],
    ['openai/gpt-4o:azure', 'Reasoning can be returned only to the provider family that created it.'],
  ])('%s that does not reason, in Responses', async (model, reason) => {
    const asked = { model: 'openai/gpt-5.5', input: question.content, reasoning: { summary: 'auto' } };
    const { id } = JSON.parse(await (await gateway.post('/v1/responses', asked)).text());
    gateway.take();
    const extra = { debug: ['normalizations'] };
    const more = { model, input: 'Go on.', previous_response_id: id, extra };
    const response = await gateway.post('/v1/responses', more);
    const body = JSON.parse(await response.text());
    expect(response.status).toBe(200);
    expect(JSON.stringify(gateway.take()[0]?.body)).not.toContain('encrypted_content');
    expect(body.debug.normalizations).toContainEqual(expect.objectContaining({ action: 'strip', reason }));
  });
});
