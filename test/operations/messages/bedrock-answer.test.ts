/** The answer of Claude at Bedrock, whose events are in messages of an event stream of AWS: as Anthropic's own. */
import { describe, expect, test } from 'vitest';
import { usageOf } from '../../../lib/core/accounting/ledger.ts';
import { encodeChunk } from '../../../sandbox/bedrock/invoke.ts';
import { encodeEvent } from '../../../sandbox/bedrock/write.ts';
import { message, useFirstLane } from '../../harness/first-lane.ts';
import { answerPieces, type Piece } from '../../harness/gateways/protocol-gateway.ts';
import { openLedger } from '../../harness/ledger.ts';
import { messagesEventsOf, readMessagesStream } from '../../harness/messages.ts';
import { answerJson } from '../../harness/upstream.ts';

const model = 'anthropic/claude-sonnet-5:bedrock';
const lane = useFirstLane('BEDROCK', model, { GATEWAY_READ_ON_MS: '100' });

const id = 'msg_bdrk_01A';
const cached = {
  cache_creation_input_tokens: 30,
  cache_read_input_tokens: 500,
  cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
};

const usage = { input_tokens: 12, output_tokens: 1, ...cached };

const events = [
  {
    type: 'message_start',
    message: { ...message, id, content: [], stop_reason: null, usage },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'A tree — I look.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', id: 'toolu_bdrk_01', name: 'look', input: {} },
  },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"at":' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"ü"}' } },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 40 },
  },
  { type: 'message_stop' },
];

const metrics = {
  inputTokenCount: 12,
  outputTokenCount: 40,
  invocationLatency: 900,
  firstByteLatency: 300,
  cacheReadInputTokenCount: 500,
  cacheWriteInputTokenCount: 30,
};

const chunks = events.map((event) =>
  encodeChunk(
    event.type === 'message_stop' ? { ...event, 'amazon-bedrock-invocationMetrics': metrics } : event,
  ),
);

const eventStream = 'application/vnd.amazon.eventstream';
const streamed = async (...pieces: readonly Piece[]) =>
  await lane.answered(answerPieces(pieces, eventStream), { stream: true });

const asPassed = [{ ...events[0], message: { ...events[0]?.message, model } }, ...events.slice(1)];

describe('a stream', () => {
  test('has the events as they came, without the counts of Bedrock’s own', async () => {
    const response = await streamed(...chunks);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const text = await response.text();
    expect(messagesEventsOf(text)).toEqual(asPassed);
    expect(readMessagesStream(text, { isOriginal: true }).message.content[1]).toMatchObject({
      input: { at: 'ü' },
    });
    expect(lane.upstream.requests[0]?.path).toBe(
      '/model/us.anthropic.claude-sonnet-5/invoke-with-response-stream',
    );
    expect(lane.upstream.requests[0]?.body).not.toHaveProperty('stream');
  });

  test('is the same however its bytes arrive', async () => {
    const bytes = Buffer.concat(chunks);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) =>
      bytes.subarray(at * 7, at * 7 + 7),
    );
    expect(messagesEventsOf(await (await streamed(...pieces)).text())).toEqual(asPassed);
  });

  test.each([
    ['throttlingException', 429, 'rate_limit_error'],
    ['modelStreamErrorException', 500, 'api_error'],
    ['modelTimeoutException', 529, 'overloaded_error'],
    ['serviceUnavailableException', 529, 'overloaded_error'],
  ])('that begins with %s is answered with %i', async (name, status, type) => {
    const response = await streamed(encodeEvent(name, { message: 'Not now.' }, 'exception'));
    expect([response.status, await response.json()]).toEqual([
      status,
      expect.objectContaining({ type: 'error', error: expect.objectContaining({ type }) }),
    ]);
  });

  test.each<readonly [string, Piece]>([
    ['an exception', encodeEvent('modelStreamErrorException', { message: 'Gone.' }, 'exception')],
    ['an error of the protocol', encodeChunk({ type: 'error', error: { type: 'overloaded_error' } })],
    ['a cut', 'cut'],
    ['a message without an event', encodeEvent('chunk', {})],
  ])('that ends in %s ends in an error of ours', async (_, piece) => {
    const text = await (await streamed(...chunks.slice(0, 5), piece)).text();
    const { error, message } = readMessagesStream(text, { isOriginal: true });
    expect(error).toMatchObject({ error: { type: expect.any(String) } });
    expect(text).not.toContain('Gone.');
    expect(message.content).toHaveLength(1);
  });

  test('that the caller leaves is left at Bedrock, when the time for its counts is over', async () => {
    lane.upstream.script(answerPieces([...chunks.slice(0, 3), 20_000], eventStream));
    const leaving = new AbortController();
    const response = await lane.gateway.post(
      '/v1/messages',
      {
        model,
        max_tokens: 9,
        stream: true,
        messages: [{ role: 'user', content: 'Hello.' }],
      },
      {},
      leaving.signal,
    );
    await response.body?.getReader().read();
    leaving.abort();
    expect(await lane.upstream.requests[0]?.over).toBe(false);
  });
});

test('a body is as it came', async () => {
  const body = { ...message, id, usage: { ...usage, output_tokens: 40 }, unheard_of: 1 };
  const response = await lane.answered(answerJson(body));
  expect([response.status, await response.json()]).toEqual([200, { ...body, model }]);
});

test.each([
  ['ValidationException', 400, 'messages.1.content.0: Invalid `signature` in `thinking` block', 400],
  ['ValidationException', 400, 'The model returned the following errors: tools.0.name: Field required', 400],
  ['AccessDeniedException', 403, 'You do not have access to account 123456789012.', 500],
  ['ThrottlingException', 429, 'Too many requests, please wait before trying again.', 429],
  ['ModelTimeoutException', 408, 'Model has timed out.', 529],
])('%s (%i): %s', async (type, upstreamStatus, text, status) => {
  const response = await lane.answered(
    answerJson({ message: text }, upstreamStatus, { 'x-amzn-errortype': `${type}:http://internal/` }),
  );
  const { error } = (await response.json()) as { error: { type: string; message: string } };
  expect(response.status).toBe(status);
  const shown = text.replace('The model returned the following errors: ', '');
  if (status === 400) expect(error).toMatchObject({ type: 'invalid_request_error', message: shown });
  else expect(error.message).not.toContain(text);
});

/** What is in the ledger of the next request. */
async function recorded(request: () => Promise<unknown>) {
  const ledger = openLedger();
  const before = await ledger.recordsOf('local');
  await request();
  const records = await ledger.recordsOf('local');
  await ledger.close();
  const [added] = records.filter(({ requestId }) => !before.some((one) => one.requestId === requestId));
  return { operation: added?.operation, usage: added && usageOf(added) };
}

test('what it used is recorded, cached tokens included', async () => {
  const { operation, usage } = await recorded(async () => await (await streamed(...chunks)).text());
  expect(operation).toBe('messages');
  expect(usage).toMatchObject({
    promptTokens: 542,
    cachedTokens: 500,
    cacheWriteTokens: 30,
    cacheWriteHourTokens: 20,
    completionTokens: 40,
  });
});

test('what is counted of the cache beside the last event alone is recorded too', async () => {
  const plain = { ...events[0]?.message, usage: { input_tokens: 12, output_tokens: 1 } };
  const start = encodeChunk({ type: 'message_start', message: plain });
  const { usage } = await recorded(async () => await (await streamed(start, ...chunks.slice(1))).text());
  expect(usage).toMatchObject({ promptTokens: 542, cachedTokens: 500, cacheWriteTokens: 30 });
});

test('what was read is recorded of a stream that breaks off', async () => {
  const { usage } = await recorded(async () => await (await streamed(...chunks.slice(0, 5), 'cut')).text());
  expect(usage).toMatchObject({ promptTokens: 542, cachedTokens: 500 });
});
