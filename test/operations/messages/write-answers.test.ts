/** Answers of every protocol, written by the grammar of the Messages API: the same message streamed and as one body. */
import { expect, test } from 'vitest';
import { answerPieces, useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import { askMessages, type MessageSeen, postMessages, readMessagesStream } from '../../harness/messages.ts';
import {
  argument,
  call,
  counts,
  end,
  finish,
  inBothForms,
  type ProtocolAndForm,
  protocolScripts,
  reasoning,
  responseScripts,
  type Step,
  start,
  text,
} from '../../harness/protocol-scripts.ts';
import { answerJson } from '../../harness/upstream.ts';

const protocols = useProtocolGateway({ GATEWAY_HEARTBEAT_MS: '50' });

/** Anthropic's own answers pass as they came; Responses is asked by a model that only it serves. */
const scripts = [
  ...protocolScripts.filter(({ protocol }) => protocol !== 'anthropic'),
  ...responseScripts
    .slice(0, 1)
    .map((script) => ({ ...script, protocol: 'responses', model: 'openai/gpt-5.3-codex' })),
];
const rows = inBothForms(scripts);

const tools = ['one', 'two'].map((name) => ({ name, input_schema: { type: 'object' } }));
const thinking = { type: 'adaptive' };

async function ask(
  { script, stream }: ProtocolAndForm,
  steps: readonly Step[],
  more: object = { thinking },
): Promise<MessageSeen> {
  const answer = stream
    ? answerPieces(script.stream(steps), script.streamType)
    : answerJson(script.body(steps));
  protocols.upstream.script(answer);
  return await askMessages(protocols.gateway, { model: script.model, stream, ...more });
}

/** Reasoning of some models goes back in a block of its own, before what follows. */
const shown = ({ content }: MessageSeen) => content.filter((block) => block.thinking !== '');

const calls = { ...finish, reason: 'calls' } as const;

test.each(rows)('$protocol $form: reasoning, then text', async (row) => {
  const message = await ask(row, [start, reasoning('Hm'), reasoning('.'), text('A'), text('b'), finish, end]);
  expect(message).toMatchObject({ stop_reason: 'end_turn', stop_sequence: null });
  expect(shown(message)).toEqual([
    { type: 'thinking', thinking: 'Hm.', signature: expect.stringMatching(/./) },
    { type: 'text', text: 'Ab' },
  ]);
  expect(message.usage).toMatchObject({
    input_tokens: counts.input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: counts.output,
    output_tokens_details: { thinking_tokens: expect.any(Number) },
    server_tool_use: null,
  });
});

test.each(rows)('$protocol $form: reasoning is not shown to who asks for none', async (row) => {
  const steps = [start, reasoning('Hm.'), text('A'), finish, end];
  expect((await ask(row, steps, {})).content).toEqual([{ type: 'text', text: 'A' }]);
  const { content } = await ask(row, steps, { thinking: { ...thinking, display: 'omitted' } });
  expect(content.map((block) => block.thinking ?? block.text).join('')).toBe('A');
});

test.each(rows)('$protocol $form: two calls whose pieces come in turns', async (row) => {
  const { piecewiseArguments } = row.script;
  const inTurns = [argument(0, '{"a":'), argument(1, '{"b":'), argument(0, '1}'), argument(1, '2}')];
  const steps = piecewiseArguments
    ? [start, text('A'), call(0, 'one'), call(1, 'two'), ...inTurns, calls, end]
    : [
        start,
        text('A'),
        call(0, 'one'),
        argument(0, '{"a":1}'),
        call(1, 'two'),
        argument(1, '{"b":2}'),
        calls,
        end,
      ];
  const message = await ask(row, steps, { thinking, tools });
  expect(message.stop_reason).toBe('tool_use');
  expect(shown(message)).toEqual([
    { type: 'text', text: 'A' },
    { type: 'tool_use', id: expect.any(String), name: 'one', input: { a: 1 } },
    { type: 'tool_use', id: expect.any(String), name: 'two', input: { b: 2 } },
  ]);
});

test.each(scripts)('$protocol: an error after the head is the last event', async (script) => {
  const pieces = script.stream([start, text('A'), { type: 'error' }]);
  protocols.upstream.script(answerPieces(pieces, script.streamType));
  const response = await postMessages(protocols.gateway, { model: script.model, stream: true });
  const { error, message } = readMessagesStream(await response.text());
  expect(error).toEqual({
    type: 'error',
    error: expect.objectContaining({ type: expect.any(String), message: expect.any(String) }),
    request_id: response.headers.get('x-request-id'),
  });
  expect(message.content).toEqual([]);
});

test.each(scripts)('$protocol: a stream that is cut is no success', async (script) => {
  const pieces = [...script.stream([start, text('A')]), 'cut' as const];
  protocols.upstream.script(answerPieces(pieces, script.streamType));
  const response = await postMessages(protocols.gateway, { model: script.model, stream: true });
  expect(readMessagesStream(await response.text()).error).toBeDefined();
});

test.each(scripts)('$protocol: silence is filled with pings, after the message has begun', async (script) => {
  const all = script.stream([start, text('a'), text('b'), finish, end]);
  const before = script.stream([start, text('a')]).length;
  const pieces = [120, ...all.slice(0, before), 250, ...all.slice(before)];
  protocols.upstream.script(answerPieces(pieces, script.streamType));
  const response = await postMessages(protocols.gateway, { model: script.model, stream: true });
  const answer = await response.text();
  const { pings, message } = readMessagesStream(answer);
  // Before the message there is nothing but comments.
  expect(answer.slice(answer.indexOf('event: message_start'))).not.toMatch(/^:/m);
  expect(pings).toBeGreaterThan(1);
  expect(message.content).toEqual([{ type: 'text', text: 'ab' }]);
});

test.each(scripts)('$protocol: a message begins with an estimate of its input', async (script) => {
  protocols.upstream.script(answerPieces(script.stream([start, text('a'), finish, end]), script.streamType));
  const content = 'A long question. '.repeat(100);
  const messages = [{ role: 'user', content }];
  const response = await postMessages(protocols.gateway, { model: script.model, stream: true, messages });
  const { events, message } = readMessagesStream(await response.text());
  const begun = events[0]?.message as MessageSeen | undefined;
  expect(Number(begun?.usage.input_tokens)).toBeGreaterThan(content.length / 8);
  expect(message.usage).toMatchObject({ input_tokens: counts.input });
});
