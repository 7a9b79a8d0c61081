/** The answer of a target that speaks the Messages API: as it came, but for the model's name. */
import { describe, expect, test } from 'vitest';
import { useAccess } from '../../harness/access.ts';
import { atAnthropic, message, useFirstLane } from '../../harness/first-lane.ts';
import { answerPieces } from '../../harness/gateways/protocol-gateway.ts';
import { openLedger } from '../../harness/ledger.ts';
import { type Json, messagesEventsOf, readMessagesStream } from '../../harness/messages.ts';
import { answerJson } from '../../harness/upstream.ts';

const lane = useFirstLane();
const access = useAccess();

type Event = Json & { readonly type: string };

const started: Event = {
  type: 'message_start',
  message: { ...message, content: [], stop_reason: null, diagnostics: null },
};
const ended: readonly Event[] = [
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 3, unheard_of_tokens: 1 },
  },
  { type: 'message_stop' },
];
const begins = (index: number, content_block: object): Event => ({
  type: 'content_block_start',
  index,
  content_block,
});
const goesOn = (index: number, delta: object): Event => ({ type: 'content_block_delta', index, delta });
const stops = (index: number): Event => ({ type: 'content_block_stop', index });
const text = (index: number, piece: string): readonly Event[] => [
  begins(index, { type: 'text', text: '' }),
  goesOn(index, { type: 'text_delta', text: piece }),
  stops(index),
];

const events: readonly Event[] = [
  started,
  { type: 'ping' },
  begins(0, { type: 'unheard_of', data: [1] }),
  stops(0),
  begins(1, { type: 'text', text: '' }),
  goesOn(1, { type: 'text_delta', text: 'Good.' }),
  { type: 'unheard_of', more: { of: 'it' } },
  goesOn(1, { type: 'unheard_of_delta', of: 'it' }),
  stops(1),
  ...ended,
];

const lineOf = (event: Event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const bytesOf = (list: readonly Event[]) => Buffer.from(list.map(lineOf).join(''));
const streaming = (list: readonly Event[]) => answerPieces([bytesOf(list)], 'text/event-stream');

const model = atAnthropic;
const named = (event: Event): Event =>
  event.type === 'message_start' ? { ...event, message: { ...Object(event.message), model } } : event;

const streamed = async (list: readonly Event[], body: object = {}) => {
  const response = await lane.answered(streaming(list), { stream: true, ...body });
  return messagesEventsOf(await response.text());
};

test('a body', async () => {
  const given = {
    ...message,
    unheard_of: 1,
    content: [...message.content, { type: 'unheard_of', data: [1] }],
  };
  const response = await lane.answered(answerJson(given));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ ...given, model });
});

describe('a stream', () => {
  test('has every event, also unknown ones', async () => {
    expect(await streamed(events)).toEqual(events.map(named));
  });

  test('is passed on while it comes', async () => {
    const { promise: rest, resolve: goOn } = Promise.withResolvers<void>();
    const pieces = [bytesOf(events.slice(0, 6)), () => rest, bytesOf(events.slice(6))];
    const response = await lane.answered(answerPieces(pieces, 'text/event-stream'), { stream: true });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!seen.includes('Good.')) seen += (await reader?.read())?.value ?? '';
    goOn();
    for (let read = await reader?.read(); !read?.done; read = await reader?.read()) seen += read?.value ?? '';
    expect(messagesEventsOf(seen)).toEqual(events.map(named));
  });
});

describe('an answer in the other form', () => {
  const blocks = [
    { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' },
    { type: 'redacted_thinking', data: 'aGlkZGVu' },
    { type: 'text', text: 'Good.', citations: [{ type: 'char_location', cited_text: 'x' }] },
    { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: ['it'] } },
    { type: 'tool_use', id: 'toolu_2', name: 'wait', input: {} },
  ];
  const whole = { ...message, content: blocks, stop_reason: 'tool_use' };
  const inPieces = [
    started,
    begins(0, { type: 'thinking', thinking: '', signature: '' }),
    goesOn(0, { type: 'thinking_delta', thinking: 'H' }),
    goesOn(0, { type: 'thinking_delta', thinking: 'm.' }),
    goesOn(0, { type: 'signature_delta', signature: 'c2lnbmVk' }),
    stops(0),
    begins(1, { type: 'redacted_thinking', data: 'aGlkZGVu' }),
    stops(1),
    begins(2, { type: 'text', text: '', citations: [] }),
    goesOn(2, { type: 'citations_delta', citation: { type: 'char_location', cited_text: 'x' } }),
    goesOn(2, { type: 'text_delta', text: 'Good.' }),
    stops(2),
    begins(3, { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }),
    goesOn(3, { type: 'input_json_delta', partial_json: '' }),
    goesOn(3, { type: 'input_json_delta', partial_json: '{"at":' }),
    goesOn(3, { type: 'input_json_delta', partial_json: '["it"]}' }),
    stops(3),
    begins(4, { type: 'tool_use', id: 'toolu_2', name: 'wait', input: {} }),
    stops(4),
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 3 },
    },
    { type: 'message_stop' },
  ];

  test('a body where a stream was asked for', async () => {
    const response = await lane.answered(answerJson(whole), { stream: true });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const seen = readMessagesStream(await response.text(), { isOriginal: true });
    expect(seen.message).toEqual({ ...whole, model });
  });

  test('a stream where a body was asked for', async () => {
    const response = await lane.answered(streaming(inPieces));
    expect(await response.json()).toEqual({ ...whole, model, diagnostics: null });
  });

  test('a stream whose input is no JSON, where a body was asked for', async () => {
    const broken = inPieces.filter(({ delta }) => Object(delta).partial_json !== '["it"]}');
    const response = await lane.answered(streaming(broken));
    const { content } = (await response.json()) as { readonly content: readonly Json[] };
    expect(content[3]).toEqual({ ...whole.content[3], input: { INVALID_JSON: '{"at":' } });
  });
});

describe('what is asked of the gateway', () => {
  const extra = { debug: ['normalizations', 'routing', 'cost'] };
  const cost = expect.any(Number);
  const priced = (usage: unknown) => ({ ...Object(usage), cost });
  const facts = {
    normalizations: [],
    routing: [expect.objectContaining({ provider: 'anthropic', status: 'succeeded' })],
    cost,
  };

  test('is in a body', async () => {
    const response = await lane.answered(answerJson(message), { extra });
    expect(await response.json()).toEqual({
      ...message,
      model,
      usage: priced(message.usage),
      debug: facts,
    });
  });

  test('is in the last event but one of a stream', async () => {
    const seen = await streamed(events, { extra });
    const last = events.at(-2) as Event;
    expect(seen.at(-2)).toEqual({ ...last, usage: priced(last.usage), debug: facts });
    expect(seen.with(-2, last)).toEqual(events.map(named));
  });
});

test('use and end are in the ledger', async () => {
  const ledger = openLedger();
  for (const stream of [true, false]) {
    const response = await lane.answered(stream ? streaming(events) : answerJson(message), { stream });
    await response.text();
  }
  const records = (await ledger.recordsOf('local')).slice(-2);
  await ledger.close();
  for (const record of records) {
    expect(record).toMatchObject({ operation: 'messages', model, status: 200 });
    expect(record).toMatchObject({
      attempts: [{ usage: { promptTokens: 12, completionTokens: 3 }, cost: 135_000 }],
    });
  }
  expect(records).toHaveLength(2);
});

describe.each([false, true])('a container in which Anthropic ran code, streamed: %s', (stream) => {
  const container = { id: `container_${stream}`, expires_at: '2026-12-01T00:00:00Z' };
  const [end, ...others] = ended;
  const delta = { stop_reason: 'end_turn', stop_sequence: null, container };
  const made = stream
    ? streaming([started, ...text(0, 'Good.'), { ...end, type: 'message_delta', delta }, ...others])
    : answerJson({ ...message, container });
  const again = async (given: unknown, headers: Record<string, string> = {}) => {
    const response = await lane.answered(answerJson(message), { container: given }, headers);
    const { error } = (await response.json()) as { error?: { param: string; message: string } };
    return { status: response.status, error, sent: lane.upstream.requests[0]?.body as Json | undefined };
  };

  test('may be used again by the tenant for whom it was made, and by no other', async () => {
    expect(await again(container.id)).toMatchObject({ status: 400, error: { param: 'container' } });
    await (await lane.answered(made, { stream })).text();
    expect(await again(container.id)).toMatchObject({ status: 200, sent: { container: container.id } });
    const withSkills = { id: container.id, skills: [{ type: 'anthropic', skill_id: 'pdf' }] };
    expect(await again(withSkills)).toMatchObject({ status: 200, sent: { container: withSkills } });
    const { authorization } = await access.newKey();
    const stolen = await again({ id: container.id }, { authorization });
    expect(stolen).toMatchObject({ status: 400, error: { param: 'container.id' }, sent: undefined });
    expect(stolen.error?.message).toContain('Leave it out');
    const elsewhere = { model: 'openai/gpt-4.1', extra: { debug: ['normalizations'] } };
    const other = await lane.answered(answerJson(message), { ...elsewhere, container: container.id });
    const { debug } = (await other.json()) as { debug?: { normalizations: object[] } };
    expect(debug?.normalizations).toContainEqual(
      expect.objectContaining({ param: 'container', action: 'strip', before: 'an id' }),
    );
  });
});
