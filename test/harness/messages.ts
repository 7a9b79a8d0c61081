/**
 * Posts to the Messages operation and reads its answer as a careful client would: every rule of the grammar of Anthropic's
 * streams is checked on the way, and the stream is folded into the message that an unstreamed answer would be.
 */
import { createParser } from 'eventsource-parser';
import { expect } from 'vitest';
import { parseJson } from '../../lib/core/formats/parse-json.ts';
import type { TestGateway } from './gateways/gateway.ts';
import { addDelta, beginnings, checkWhole, type Json, type OpenBlock } from './messages-blocks.ts';

export type { Json } from './messages-blocks.ts';

export interface MessageSeen {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly Json[];
  readonly stop_reason: string | null;
  readonly stop_sequence: string | null;
  readonly stop_details?: Json | null;
  readonly usage: Json;
  readonly debug?: Json;
}

interface MessagesEvent extends Json {
  readonly type: string;
}

interface MessagesStreamSeen {
  /** Without pings. */
  readonly events: readonly MessagesEvent[];
  readonly pings: number;
  /** The folded stream, as far as it came. */
  readonly message: MessageSeen;
  /** Of a stream that failed after its head; it is its last event. */
  readonly error: Json | undefined;
}

interface ReadOptions {
  /** The stream is an upstream's own, passed on as it came: its usage objects have what that provider gives. */
  readonly isOriginal?: boolean;
}

/** Posts a small valid body with these fields, and expects a 200. */
export async function postMessages(
  gateway: Pick<TestGateway, 'post'>,
  body: Json,
  headers?: Record<string, string>,
): Promise<Response> {
  const messages = [{ role: 'user', content: 'Hello.' }];
  const response = await gateway.post('/v1/messages', { max_tokens: 1000, messages, ...body }, headers);
  const failure = response.status === 200 ? '' : await response.clone().text();
  expect([response.status, failure]).toEqual([200, '']);
  return response;
}

/** Posts and gives the message, streamed (folded) or as one body. */
export async function askMessages(
  gateway: Pick<TestGateway, 'post'>,
  body: Json,
  options?: ReadOptions,
): Promise<MessageSeen> {
  const response = await postMessages(gateway, body);
  if (body.stream !== true) return checkedMessage((await response.json()) as MessageSeen, options);
  const { message, error } = readMessagesStream(await response.text(), options);
  expect(error).toBeUndefined();
  return message;
}

/** Fails the test where an unstreamed answer is not a whole message. */
export function checkedMessage(message: MessageSeen, { isOriginal = false }: ReadOptions = {}): MessageSeen {
  checkHead(message, isOriginal);
  checkStop(message);
  for (const block of message.content) checkWhole(block);
  return message;
}

/** Folds a stream's text and fails the test where it breaks the grammar. */
export function readMessagesStream(
  text: string,
  { isOriginal = false }: ReadOptions = {},
): MessagesStreamSeen {
  const all = messagesEventsOf(text);
  expect(all[0]?.type, 'a stream begins with message_start').toBe('message_start');
  const events = all.filter(({ type }) => type !== 'ping');
  const last = events.at(-1);
  const error = last?.type === 'error' ? last : undefined;
  const state: State = { content: [], isOver: false, isOriginal };
  for (const event of error ? events.slice(0, -1) : events) take(state, event);
  const { message } = state;
  if (!message) throw new Error('The stream has no message_start.');
  if (error) {
    expect(state.isOver, 'a stream that was ended has no error').toBe(false);
    expect(error).toMatchObject({ error: { type: expect.any(String), message: expect.any(String) } });
  } else {
    expect(state.isOver, 'a stream ends with message_stop').toBe(true);
    checkStop({ ...message, content: state.content });
  }
  return {
    events,
    pings: all.length - events.length,
    message: { ...message, content: state.content },
    error,
  };
}

/** The events of a stream's text, in order. */
export function messagesEventsOf(text: string): readonly MessagesEvent[] {
  const found: MessagesEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      expect(data, 'the end has no mark of its own').not.toBe('[DONE]');
      const parsed: MessagesEvent = JSON.parse(data);
      expect(event, 'the name of an event is its type').toBe(parsed.type);
      found.push(parsed);
    },
  });
  parser.feed(text);
  return found;
}

interface State {
  message?: MessageSeen;
  readonly content: Json[];
  open?: OpenBlock | undefined;
  isOver: boolean;
  readonly isOriginal: boolean;
}

function take(state: State, event: MessagesEvent): void {
  expect(state.isOver, `nothing comes after message_stop (${event.type})`).toBe(false);
  if (event.type !== 'message_start' && !state.message)
    throw new Error(`${event.type} before message_start.`);
  if (state.message?.stop_reason) expect(event.type, 'what follows message_delta').toBe('message_stop');
  const step = steps[event.type];
  if (!step) throw new Error(`${event.type} is not an event of the grammar.`);
  step(state, event);
}

const steps: Readonly<Record<string, (state: State, event: MessagesEvent) => void>> = {
  message_start(state, event) {
    expect(state.message, 'a stream has one message_start').toBeUndefined();
    const message = event.message as MessageSeen;
    expect(message).toMatchObject({ content: [], stop_reason: null, stop_sequence: null });
    checkHead(message, state.isOriginal);
    state.message = message;
  },
  content_block_start(state, { index, content_block }) {
    expect(state.open, 'one block is open at a time').toBeUndefined();
    expect(index, 'indexes have no gaps').toBe(state.content.length);
    const block = { ...(content_block as Json) };
    expect(block.type).toEqual(expect.any(String));
    const beginning = state.isOriginal ? {} : beginnings[String(block.type)];
    expect(block, 'the block as it begins').toMatchObject(beginning ?? {});
    state.open = { block, deltas: [], input: '' };
  },
  content_block_delta(state, { index, delta }) {
    const { open } = state;
    if (!open) throw new Error('A delta of no block.');
    expect(index, 'a delta is of the open block').toBe(state.content.length);
    addDelta(open, delta as Json);
  },
  content_block_stop(state, { index }) {
    const { open } = state;
    if (!open) throw new Error('The stop of no block.');
    expect(index, 'a stop is of the open block').toBe(state.content.length);
    const { block, input } = open;
    if (input !== '') block.input = parseJson(input) ?? { [cut]: input };
    if (!state.isOriginal || block.signature !== '') checkWhole(block);
    state.content.push(block);
    state.open = undefined;
  },
  message_delta(state, { delta, usage, ...more }) {
    expect(state.open, 'every block is closed before message_delta').toBeUndefined();
    if (!state.isOriginal) expect(usage, 'the final usage').toMatchObject(finalUsage);
    const { type: _, ...others } = more;
    const { message } = state;
    const before = message?.usage ?? {};
    const counted = Object.entries(usage as Json).filter(
      ([name, value]) => value !== null || !(name in before),
    );
    if (message)
      state.message = {
        ...message,
        ...(delta as object),
        ...others,
        usage: { ...message.usage, ...Object.fromEntries(counted) },
      };
    expect(state.message?.stop_reason, 'message_delta has the stop reason').toEqual(expect.any(String));
  },
  message_stop(state) {
    expect(state.message?.stop_reason, 'message_delta comes before message_stop').toBeTruthy();
    state.isOver = true;
  },
};

const finalUsage: Json = {
  input_tokens: expect.any(Number),
  cache_creation_input_tokens: expect.any(Number),
  cache_read_input_tokens: expect.any(Number),
  output_tokens: expect.any(Number),
};

const cacheCreation = {
  ephemeral_5m_input_tokens: expect.any(Number),
  ephemeral_1h_input_tokens: expect.any(Number),
};

function checkHead(message: MessageSeen, isOriginal: boolean): void {
  expect(message).toMatchObject({ type: 'message', role: 'assistant', content: expect.any(Array) });
  expect(message.id).toMatch(/^msg_./);
  expect(message.model).toBeTruthy();
  if (!isOriginal) expect(message.usage).toMatchObject({ ...finalUsage, cache_creation: cacheCreation });
  for (const field of Object.keys(finalUsage).filter((name) => message.usage[name] !== undefined))
    expect(Number(message.usage[field]), field).toBeGreaterThanOrEqual(0);
}

/** The field of the input of a call that was cut. */
const cut = 'INVALID_JSON';

const stopReasons = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
];

function checkStop({ stop_reason: reason, content }: MessageSeen): void {
  expect(stopReasons).toContain(reason);
  const calls = content.filter(({ type }) => type === 'tool_use');
  if (reason === 'tool_use') expect(calls, 'tool_use needs a call').not.toEqual([]);
  const isCut = calls.some(({ input }) => Object(input)[cut] !== undefined);
  if (isCut) expect(['max_tokens', 'refusal'], 'only a cut call has no whole input').toContain(reason);
}
