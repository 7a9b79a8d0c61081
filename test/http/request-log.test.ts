/** What an operator finds in the log of a request that failed. */

import { describe, expect, test } from 'vitest';
import type { AttemptFacts } from '../../lib/core/endpoint.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import { type RequestLog, startRequestLog } from '../../lib/http/request-log.ts';
import { httpRequest } from '../harness/http-request.ts';
import { testAttempt } from '../harness/ledger.ts';

function logged(error: GatewayError): Record<string, unknown> {
  const lines: Record<string, unknown>[] = [];
  const add = (_message: string, fields: Readonly<Record<string, unknown>>) => void lines.push(fields);
  const request = httpRequest({ headers: { 'x-gateway-user-id': 'u'.repeat(500) } });
  const log = startRequestLog(operationNamed('chat-completions'), request, 'request-1', {
    log: { info: add, warn: add, error: add },
    now: () => 1,
  });
  log.finish({ status: error.status, error });
  return lines[0] ?? {};
}

test('an unreachable provider is logged with the code of the system', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:443'), { code: 'ECONNREFUSED' });
  const line = logged(new GatewayError('upstream_unreachable', 'It cannot be reached.', { cause }));
  expect(line).toMatchObject({ status: 503, error: 'upstream_unreachable', cause: 'ECONNREFUSED' });
  expect(JSON.stringify(line)).not.toContain('10.0.0.1');
});

test('an unexpected error is logged with its stack frames, without its message', () => {
  const cause = new TypeError('cannot read "the secret prompt"');
  const line = logged(new GatewayError('internal', 'It failed.', { cause }));
  expect(line.stack).toEqual(expect.arrayContaining(['TypeError', expect.stringMatching(/^at /)]));
  expect(JSON.stringify(line)).not.toContain('secret prompt');
});

test('ids of the caller are cut', () => {
  expect(logged(new GatewayError('internal', 'It failed.')).user_id).toHaveLength(128);
});

test('an error without a stack is logged with its name', () => {
  const cause = Object.assign(new Error('secret'), { name: 'Odd', stack: undefined });
  expect(logged(new GatewayError('internal', 'It failed.', { cause })).stack).toEqual(['Odd']);
  expect(logged(new GatewayError('internal', 'It failed.', { cause: 'text' })).stack).toBeUndefined();
});

test('at most eight stack frames of an unforeseen error are logged', () => {
  const deep = (left: number): Error => (left === 0 ? new Error('secret') : deep(left - 1));
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 30;
  const cause = deep(20);
  Error.stackTraceLimit = limit;
  expect(logged(new GatewayError('internal', 'It failed.', { cause })).stack).toHaveLength(9);
});

test.each([
  ['ECONNRESET', 'ECONNRESET'],
  ['UND_ERR_SOCKET', 'UND_ERR_SOCKET'],
  ['a text of the request', undefined],
  ['E'.repeat(41), undefined],
  [7, undefined],
])('the code %s of a cause is logged as %s', (code, expected) => {
  const cause = Object.assign(new Error('secret'), { code });
  const line = logged(new GatewayError('upstream_unreachable', 'It cannot be reached.', { cause }));
  expect(line.cause).toBe(expected);
  expect(line).not.toHaveProperty('stack');
});

describe('a request', () => {
  const usage = {
    promptTokens: 1,
    cachedTokens: 2,
    cacheWriteTokens: 3,
    completionTokens: 4,
    reasoningTokens: 5,
  };
  const target = { model: 'a/b', provider: 'a', region: 'global' };
  const begin = ({ facts }: Pick<RequestLog, 'facts'>, attempt: Partial<AttemptFacts> = {}) => {
    facts.model = target.model;
    facts.attempts.push(testAttempt(target), testAttempt({ ...target, ...attempt }));
  };
  const headers = { 'x-gateway-user-id': 'u'.repeat(129), 'x-gateway-session-id': 's'.repeat(129) };

  function start(given: Record<string, string> = headers) {
    const lines: unknown[] = [];
    const at = (level: string) => (message: string, fields: object) =>
      void lines.push([level, message, fields]);
    let time = 1_000;
    const log = startRequestLog(
      operationNamed('chat-completions'),
      httpRequest({ headers: given }),
      'request-1',
      { log: { info: at('info'), warn: at('warn'), error: at('error') }, now: () => time },
    );
    const pass = (milliseconds: number) => {
      time += milliseconds;
    };
    return { log, lines, pass };
  }

  test('is one line, with what is known of it', () => {
    const { log, lines, pass } = start();
    log.identify({ id: 'key_1', tenant: 'acme' });
    begin(log, { usage });
    log.facts.finishReasons = ['stop'];
    pass(20);
    log.firstByte();
    pass(30);
    log.finish({ status: 200 });
    expect(lines).toEqual([
      [
        'info',
        'request',
        {
          request_id: 'request-1',
          operation: 'chat-completions',
          status: 200,
          tenant: 'acme',
          key_id: 'key_1',
          user_id: 'u'.repeat(128),
          session_id: 's'.repeat(128),
          ...target,
          attempts: 2,
          finish_reasons: ['stop'],
          prompt_tokens: 1,
          cached_tokens: 2,
          cache_write_tokens: 3,
          completion_tokens: 4,
          reasoning_tokens: 5,
          first_byte_ms: 20,
          total_ms: 50,
        },
      ],
    ]);
  });

  test('of a stranger has a line too', () => {
    const { log, lines } = start({});
    log.identify(undefined);
    log.finish({ status: 401, error: new GatewayError('invalid_api_key', 'No.') });
    const fields = { status: 401, error: 'invalid_api_key', error_code: 'invalid_api_key', total_ms: 0 };
    expect(lines).toMatchObject([['info', 'request', fields]]);
  });

  test.each([
    [499, undefined, 'info'],
    [500, undefined, 'error'],
    [400, 'invalid_request', 'info'],
    [200, 'upstream_cut', 'error'],
    [200, 'client_closed', 'info'],
  ] as const)('with status %i and error %s is logged as %s', (status, kind, level) => {
    const { log, lines } = start();
    log.finish({ status, ...(kind && { error: new GatewayError(kind, 'No.') }) });
    expect(lines).toMatchObject([[level, 'request', { status }]]);
  });

  test('is in the ledger, with what it used', () => {
    const { log, pass } = start();
    log.identify({ id: 'key_1', tenant: 'acme' });
    begin(log, { usage });
    Object.assign(log.facts, { requestedModel: 'a/alias', finishReasons: ['stop'] });
    pass(20);
    log.firstByte();
    pass(30);
    expect(log.toLedger({ status: 200 })).toEqual({
      requestId: 'request-1',
      at: 1_000,
      tenant: 'acme',
      key: 'key_1',
      user: 'u'.repeat(128),
      session: 's'.repeat(128),
      operation: 'chat-completions',
      requestedModel: 'a/alias',
      ...target,
      attempts: [log.facts.attempts[0], { ...log.facts.attempts[1], endedAt: 1_050 }],
      status: 200,
      streamed: false,
      normalizations: 0,
      firstByteMs: 20,
      totalMs: 50,
    });
  });

  test('that failed is in the ledger with the code of its error, or its kind', () => {
    const { log } = start({});
    log.identify({ id: 'key_1', tenant: 'acme' });
    begin(log);
    Object.assign(log.facts, { streamed: true, normalizations: 3 });
    const entryOf = (error: GatewayError) => log.toLedger({ status: error.status, error });
    const entry = entryOf(new GatewayError('upstream_cut', 'It broke off.'));
    expect(entry).toMatchObject({ error: 'provider_stream_cut', streamed: true, normalizations: 3 });
    expect(entry).toMatchObject({ requestedModel: 'a/b' });
    for (const absent of ['user', 'session', 'firstByteMs']) expect(entry).not.toHaveProperty(absent);
    expect(entryOf(new GatewayError('internal', 'It failed.'))).toMatchObject({ error: 'internal' });
  });

  test('ends when it is over, not when its open record is written: prices may depend on the hour', () => {
    const { log, pass } = start();
    log.identify({ id: 'key_1', tenant: 'acme' });
    begin(log);
    log.toLedger({ status: 200 });
    pass(50);
    expect(log.toLedger({ status: 200 })?.attempts.at(-1)).toMatchObject({ endedAt: 1_050 });
  });

  test('that was sent to no provider is not in the ledger', () => {
    const { log } = start();
    log.identify({ id: 'key_1', tenant: 'acme' });
    log.facts.model = target.model;
    expect(log.toLedger({ status: 200 })).toBeUndefined();
  });

  test('of a stranger is not in the ledger', () => {
    const { log } = start();
    begin(log);
    expect(log.toLedger({ status: 200 })).toBeUndefined();
  });
});
