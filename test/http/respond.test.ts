/** Answers and errors as HTTP: status, headers, body, and the one report of how it ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../lib/core/endpoint.ts';
import type { ErrorKind } from '../../lib/core/errors/error-kinds.ts';
import { type ErrorDetails, GatewayError } from '../../lib/core/errors/errors.ts';
import { type HttpAnswer, respond, respondWithError } from '../../lib/http/respond.ts';
import type { Outcome } from '../../lib/http/streamed-body.ts';
import { piecesOf, seenResponse } from './response-double.ts';

async function headersOf(kind: ErrorKind, details: ErrorDetails = {}) {
  const error = new GatewayError(kind, 'A message.', details);
  const options = { requestId: 'request-1', finished: async () => {} };
  return (await respondWithError(error, ['GET', 'DELETE'], options)).headers;
}

describe('Retry-After', () => {
  test.each<[ErrorKind, number | undefined, string | undefined]>([
    ['rate_limited', 7_000, '7'],
    ['rate_limited', 6_001, '7'],
    ['rate_limited', 0, '1'],
    ['rate_limited', undefined, '1'],
    ['upstream_quota', undefined, '60'],
    ['upstream_overloaded', 7_000, '7'],
    ['upstream_overloaded', 200, '1'],
    ['upstream_overloaded', undefined, undefined],
    ['upstream_failed', 7_000, undefined],
    ['invalid_request', 7_000, undefined],
  ])('of %s with a wait of %s ms is %s', async (kind, retryAfterMs, expected) => {
    expect((await headersOf(kind, { retryAfterMs }))['retry-after']).toBe(expected);
  });
});

test.each<[ErrorKind, string | undefined]>([
  ['invalid_api_key', 'Bearer'],
  ['permission_denied', undefined],
])('%s asks for authentication: %s', async (kind, expected) => {
  expect((await headersOf(kind))['www-authenticate']).toBe(expected);
});

// Clients that repeat every 401 or 429 would repeat these for minutes.
test.each<[ErrorKind, string | undefined]>([
  ['invalid_api_key', 'false'],
  ['budget_used_up', 'false'],
  ['rate_limited', undefined],
  ['permission_denied', undefined],
])('%s should be sent again: %s', async (kind, expected) => {
  expect((await headersOf(kind))['x-should-retry']).toBe(expected);
});

test.each<[ErrorKind, string | undefined]>([
  ['method_not_allowed', 'GET, DELETE'],
  ['not_found', undefined],
])('%s lists the allowed methods: %s', async (kind, expected) => {
  expect((await headersOf(kind)).allow).toBe(expected);
});

test('an error is JSON, has the id of its request, and keeps headers that are passed on', async () => {
  const seen: unknown[] = [];
  const error = new GatewayError('not_found', 'A message.');
  const answer = await respondWithError(
    error,
    ['GET'],
    { requestId: 'request-1', finished: async (outcome) => void seen.push(outcome) },
    { 'x-ratelimit-limit-requests': '5' },
  );
  expect(answer).toEqual({
    statusCode: 404,
    headers: {
      'content-type': 'application/json',
      'x-request-id': 'request-1',
      'x-ratelimit-limit-requests': '5',
    },
    body: '{"error":{"message":"A message.","type":"not_found_error","param":null,"code":null}}',
  });
  expect(seen).toEqual([{ status: 404, error }]);
});

describe('to clients of Anthropic', () => {
  const options = { requestId: 'request-1', errors: 'anthropic', finished: async () => {} } as const;

  test('an error has their form, their status and their header', async () => {
    const error = new GatewayError('upstream_overloaded', 'A message.', { retryAfterMs: 2_000 });
    const answer = await respondWithError(error, ['POST'], options);
    expect(answer).toMatchObject({
      statusCode: 529,
      headers: { 'request-id': 'request-1', 'x-request-id': 'request-1', 'retry-after': '2' },
    });
    expect(JSON.parse(String(answer.body))).toEqual({
      type: 'error',
      error: { type: 'overloaded_error', message: 'A message.', param: null, code: 'provider_overloaded' },
      request_id: 'request-1',
    });
  });

  test('an answer has their header', async () => {
    const { headers } = await respond({ type: 'json', body: {} }, options);
    expect(headers).toMatchObject({ 'request-id': 'request-1', 'x-request-id': 'request-1' });
  });
});

describe('an answer', () => {
  const outcomes: Outcome[] = [];
  const answered = async (answer: Answer, more: { isDisconnected?: () => boolean } = {}) => {
    outcomes.length = 0;
    const finished = async (outcome: Outcome) => void outcomes.push(outcome);
    return await respond(answer, { requestId: 'request-1', finished, ...more });
  };
  const textOf = async ({ body }: HttpAnswer) => (await piecesOf(body)).join('');
  const headers = { 'x-own': 'yes' };
  const jsonHeaders = { 'x-request-id': 'request-1', 'x-own': 'yes', 'content-type': 'application/json' };

  test('in JSON leaves as one text', async () => {
    const answer = await answered({ type: 'json', body: { a: 1 }, headers });
    expect(answer).toEqual({ statusCode: 200, headers: jsonHeaders, body: '{"a":1}' });
    expect(outcomes).toEqual([{ status: 200 }]);
  });

  test('in JSON for a caller who has left is a 499', async () => {
    await answered({ type: 'json', body: {} }, { isDisconnected: () => true });
    expect(outcomes).toEqual([{ status: 499 }]);
    await answered({ type: 'json', body: {} }, { isDisconnected: () => false });
    expect(outcomes).toEqual([{ status: 200 }]);
  });

  test('in JSON that is large leaves in pieces', async () => {
    const answer = await answered({ type: 'large-json', text: ['{"a"', ':1}'], headers });
    expect(answer).toMatchObject({ statusCode: 200, headers: jsonHeaders });
    expect(outcomes).toEqual([]);
    expect(await textOf(answer)).toBe('{"a":1}');
    expect(outcomes).toEqual([{ status: 200 }]);
  });

  test.each([true, false])('that is large and left is a 499, once (begun: %s)', async (begun) => {
    const { body } = await answered({ type: 'large-json', text: Array(1_000).fill('x'.repeat(1_000)) });
    if (typeof body === 'string') throw new Error('It is no stream.');
    const response = seenResponse(() => new Promise(() => {}));
    if (!begun) response.destroy();
    const sent = body.sendTo(response);
    if (begun) setImmediate(() => response.destroy());
    await expect(sent).rejects.toThrow('closed before its end');
    await expect.poll(() => outcomes).toEqual([{ status: 499 }]);
    await sleep(10);
    expect(outcomes).toEqual([{ status: 499 }]);
  });

  async function* bytes(...pieces: readonly (string | Error)[]) {
    for (const piece of pieces) {
      if (piece instanceof Error) throw piece;
      yield Buffer.from(piece);
    }
  }

  test('in bytes leaves as they come, with its length and status', async () => {
    const file = { type: 'bytes', contentType: 'application/octet-stream', headers } as const;
    const answer = await answered({ ...file, status: 206, length: 4, bytes: bytes('ab', 'cd') });
    const expected = { ...jsonHeaders, 'content-type': 'application/octet-stream', 'content-length': '4' };
    expect(answer).toMatchObject({ statusCode: 206, headers: expected });
    expect(outcomes).toEqual([]);
    expect(await textOf(answer)).toBe('abcd');
    expect(outcomes).toEqual([{ status: 206 }]);
  });

  test('in bytes that cannot be read to their end is a failure, and breaks off', async () => {
    const broken = bytes('ab', new Error('The disk is gone.'));
    const answer = await answered({ type: 'bytes', contentType: 'text/plain', bytes: broken });
    await expect(textOf(answer)).rejects.toThrow('The disk is gone.');
    expect(outcomes).toMatchObject([{ status: 500, error: { kind: 'internal' } }]);
  });

  test('in bytes waits for a client that reads slowly', async () => {
    let read = 0;
    async function* counted() {
      for (; read < 10; read += 1) yield Buffer.alloc(100_000);
    }
    const { body } = await answered({ type: 'bytes', contentType: 'text/plain', bytes: counted() });
    if (typeof body === 'string') throw new Error('It is no stream.');
    const response = seenResponse(() => new Promise(() => {}));
    const sent = body.sendTo(response);
    await sleep(20);
    expect(read).toBeLessThan(3);
    response.destroy();
    await expect(sent).rejects.toThrow('closed before its end');
  });

  async function* events(...batches: readonly (readonly object[] | Error)[]) {
    for (const batch of batches) {
      if (batch instanceof Error) throw batch;
      yield batch.map((data) => ({ data }));
    }
  }
  const streamOf = (...batches: readonly (readonly object[] | Error)[]) => ({
    type: 'stream' as const,
    events: events(...batches),
    onError: ({ kind }: GatewayError) => [{ event: 'error', data: kind }, { data: '[DONE]' }],
    headers,
  });

  test('that is streamed leaves as events', async () => {
    const answer = await answered(streamOf([{ a: 1 }, { a: 2 }], [{ a: 3 }]));
    expect(answer).toMatchObject({
      statusCode: 200,
      headers: {
        'x-request-id': 'request-1',
        'x-own': 'yes',
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
      },
    });
    expect(await textOf(answer)).toBe('data: {"a":1}\n\ndata: {"a":2}\n\ndata: {"a":3}\n\n');
    expect(outcomes).toEqual([{ status: 200 }]);
  });

  test.each([
    ['upstream_cut', 200],
    ['client_closed', 499],
  ] as const)('that breaks off with %s ends with an error, as a %i', async (kind, status) => {
    const error = new GatewayError(kind, 'It broke off.');
    const text = await textOf(await answered(streamOf([{ a: 1 }], error)));
    expect(text).toBe(`data: {"a":1}\n\nevent: error\ndata: ${kind}\n\ndata: [DONE]\n\n`);
    expect(outcomes).toEqual([{ status, error }]);
  });

  test('that is streamed to a caller who leaves is a 499, once', async () => {
    const { body } = await answered(streamOf([{ a: 1 }], [{ a: 2 }]));
    if (typeof body === 'string') throw new Error('It is no stream.');
    await expect(body.sendTo(seenResponse().destroy())).rejects.toThrow('closed before its end');
    await expect.poll(() => outcomes).toEqual([{ status: 499 }]);
  });
});
