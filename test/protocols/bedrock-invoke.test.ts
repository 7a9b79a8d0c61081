/** Claude on Bedrock in its own protocol: what differs from the Messages API. */
import { describe, expect, test } from 'vitest';
import type { OriginalRequest } from '../../lib/core/generation/original/original.ts';
import type { Frame } from '../../lib/core/generation/original/protocol.ts';
import { bedrockInvoke, invokeCounter, messageOf } from '../../lib/protocols/bedrock-invoke/protocol.ts';
import { decodeFrames, errorOf } from './answer.ts';
import { end, frame, type Json, start } from './anthropic-messages/frames.ts';
import { newRequest, newTarget, user } from './requests.ts';

const version = { anthropic_version: 'bedrock-2023-05-31' };

test('has its path by whether the answer is a stream', () => {
  expect(bedrockInvoke.path('a:1', false)).toBe('/model/a%3A1/invoke');
  expect(bedrockInvoke.path('a:1', true)).toBe('/model/a%3A1/invoke-with-response-stream');
});

test('a body has its version, and neither model nor stream', () => {
  const request = newRequest([user('Hi')], { max_tokens: 5 }, { stream: true });
  expect(bedrockInvoke.encode(request, newTarget())).toStrictEqual({
    ...version,
    max_tokens: 5,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  });
});

test.each<[OriginalRequest['headers'], Json]>([
  [{}, {}],
  [{ 'anthropic-beta': ' , ' }, {}],
  [{ 'anthropic-beta': 'a, b,' }, { anthropic_beta: ['a', 'b'] }],
])('the headers %j of a caller are in the body', (headers, expected) => {
  const original = {
    protocol: 'anthropic-messages',
    body: { model: 'any', stream: true, max_tokens: 5 },
    headers,
  };
  expect(bedrockInvoke.encodeOriginal?.(original, newTarget(), true)).toStrictEqual({
    body: { ...version, max_tokens: 5, ...expected },
    headers: {},
  });
});

test('what is counted is a whole body, without what the counter refuses', () => {
  const countedIn = (request: Json) => invokeCounter.body(request, 'any');
  const messages = [{ role: 'user', content: 'Hi' }];
  const refused = { model: 'any', anthropic_beta: ['a'], context_management: {} };
  expect(countedIn({ messages, ...refused })).toStrictEqual({ ...version, max_tokens: 1, messages });
  expect(countedIn({ messages, max_tokens: 7 })).toMatchObject({ max_tokens: 7 });
  expect(invokeCounter.path('us.anthropic.claude')).toBe('/model/anthropic.claude/count-tokens');
  expect(invokeCounter.read({ inputTokens: 7 })).toBe(7);
  expect(invokeCounter.inBase64?.('e30=')).toEqual({ input: { invokeModel: { body: 'e30=' } } });
});

const wrap = (event: Json): Frame => {
  const bytes = Buffer.from(frame(event).data).toString('base64');
  return { event: 'chunk', data: JSON.stringify({ bytes }) };
};

describe('a stream', () => {
  const metrics = 'amazon-bedrock-invocationMetrics';
  const usageOf = (
    counts: Json,
    started: Json = { input_tokens: 10 },
    last: Json = { type: 'message_stop' },
  ) => {
    const [stopping = {}] = end('end_turn');
    const frames = [start(started), stopping, { ...last, [metrics]: counts }, { type: 'message_stop' }].map(
      wrap,
    );
    return decodeFrames(bedrockInvoke, frames).find((event) => event.type === 'usage');
  };

  test('may count what the cache held only at its end', () => {
    const counts = { cacheReadInputTokenCount: 3, cacheWriteInputTokenCount: 4, inputTokenCount: 10 };
    expect(usageOf(counts)).toMatchObject({
      usage: { promptTokens: 17, cachedTokens: 3, cacheWriteTokens: 4, completionTokens: 5 },
      raw: { input_tokens: 10, [metrics]: counts },
    });
  });

  test.each<[string, Json, Json, Json, object]>([
    ['nothing', {}, {}, {}, { promptTokens: 10 }],
    ['only a part', { cacheReadInputTokenCount: 3 }, {}, {}, { promptTokens: 13, cachedTokens: 3 }],
    [
      'what was counted',
      { cacheReadInputTokenCount: 3 },
      { cache_read_input_tokens: 2 },
      {},
      { promptTokens: 12 },
    ],
    [
      'what was written',
      { cacheReadInputTokenCount: 3 },
      { cache_creation_input_tokens: 2 },
      {},
      { promptTokens: 12 },
    ],
    ['it elsewhere', { cacheReadInputTokenCount: 3 }, {}, { type: 'ping' }, { promptTokens: 10 }],
  ])('may count %s there', (_, counts, started, last, expected) => {
    const found = usageOf(counts, { input_tokens: 10, ...started }, { type: 'message_stop', ...last });
    expect(found?.usage).toMatchObject(expected);
    expect(Object.keys(found?.raw ?? {}).includes(metrics)).toBe('cachedTokens' in expected);
  });

  test('shows its caller none of those counts', () => {
    const decoder = bedrockInvoke.decodeStream('original');
    const [stopping = {}] = end('end_turn');
    const events = [start(), stopping, { type: 'message_stop', [metrics]: {} }].flatMap((event) =>
      decoder.onFrame(wrap(event)),
    );
    const passed = events.flatMap((event) => (event.type === 'upstream' ? [event.data] : []));
    expect(passed.at(-1)).toBe('{"type":"message_stop"}');
  });

  test('may end with an exception, and has each event in bytes', () => {
    const exception = { event: 'throttlingException', data: '{"message":"No."}', exception: true };
    const decode = (one: Frame) => () => bedrockInvoke.decodeStream().onFrame(one);
    expect(errorOf(decode(exception)).kind).toBe('upstream_rate_limited');
    expect(errorOf(decode({ event: 'chunk', data: '{}' })).kind).toBe('upstream_invalid_answer');
  });
});

describe('a failure', () => {
  const read = (status: number, body: object, headers: Record<string, string> = {}) =>
    bedrockInvoke.readFailure({ status, headers, body: JSON.stringify(body) });
  const wrapped = 'The model returned the following errors: prompt is too long: 9 tokens > 8 maximum';
  const type = (name: string) => ({ 'x-amzn-errortype': name });

  test.each<[string, number, object, Record<string, string>, object]>([
    [
      'in the form of the Messages API',
      429,
      { error: { type: 'rate_limit_error' } },
      {},
      { kind: 'upstream_rate_limited' },
    ],
    ['of Bedrock', 400, { message: 'No' }, type('AccessDeniedException'), { kind: 'upstream_credentials' }],
    ['of Bedrock, at its end', 503, { message: 'Busy' }, {}, { kind: 'upstream_overloaded' }],
    [
      'of the model',
      400,
      { message: wrapped },
      type('ValidationException'),
      { kind: 'upstream_context_length' },
    ],
    [
      'of a field',
      400,
      { message: 'The model returned the following errors: top_p: too high' },
      type('ValidationException'),
      {
        kind: 'upstream_bad_request',
        upstreamParam: 'top_p',
        message: 'top_p: too high',
        upstreamStatus: 400,
      },
    ],
  ])('%s', (_, status, body, headers, expected) => {
    expect(read(status, body, headers)).toMatchObject(expected);
  });

  test('has the words of the model', () => {
    const bodies = [{ message: wrapped }, { error: { message: 'No.' } }, {}].map((body) =>
      JSON.stringify(body),
    );
    expect(bodies.map(messageOf)).toStrictEqual(['prompt is too long: 9 tokens > 8 maximum', 'No.', '']);
  });
});
