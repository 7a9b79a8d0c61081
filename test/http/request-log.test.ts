/** What an operator finds in the log of a request that failed. */
import { expect, test } from 'vitest';
import { GatewayError } from '../../lib/core/errors.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import { startRequestLog } from '../../lib/http/request-log.ts';

type Event = Parameters<typeof startRequestLog>[1];

function logged(error: GatewayError): Record<string, unknown> {
  const lines: Record<string, unknown>[] = [];
  const add = (_message: string, fields: Readonly<Record<string, unknown>>) => void lines.push(fields);
  const event = { headers: { 'X-Gateway-User-Id': 'u'.repeat(500) } } as unknown as Event;
  const log = startRequestLog(operationNamed('chat-completions'), event, 'request-1', {
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
