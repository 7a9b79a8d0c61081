/** Requests with the header `Idempotency-Key`: how they wait. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import { claim } from '../../lib/http/idempotency.ts';

const operation = operationNamed('chat-completions');
const key = { id: 'key_1', hash: 'hash', tenant: 'acme' };

test('a request that waits for another ends when its caller leaves, or the server stops', async () => {
  const leaving = new AbortController();
  let asked = 0;
  const claimAnswer = async () => {
    asked += 1;
    return { state: 'running' } as const;
  };
  const waiting = claim(
    { idempotencyKey: 'one', body: '{}' },
    { claimAnswer, operation, key, signal: leaving.signal },
  );
  await setImmediate();
  const reason = new GatewayError('client_closed', 'The client closed the connection.');
  leaving.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(asked).toBe(1);
});
