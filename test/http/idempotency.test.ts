/** Requests with the header `Idempotency-Key`: how they wait, and what is kept of their answers. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import type { FirstClaim, KeptAnswer } from '../../lib/core/ports/kept-answers.ts';
import { claim, keptFor } from '../../lib/http/idempotency.ts';

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

/** A claim that notes what becomes of it. */
function noted(keep: (answer: KeptAnswer) => Promise<boolean> = async () => true) {
  const steps: unknown[] = [];
  const first: FirstClaim = {
    state: 'first',
    keep: async (answer) => {
      steps.push(answer);
      return await keep(answer);
    },
    release: async () => void steps.push('released'),
  };
  return { first, steps };
}

const log = { warn() {} };
const isComplete = () => true;

test('a request whose answer could not be kept leaves its key free', async () => {
  const { first, steps } = noted(() => Promise.reject(new Error('The database is unavailable.')));
  const answer = { statusCode: 200, headers: {}, body: '{}' };
  expect(await keptFor(answer, { claim: first, isComplete, log })).toBe(answer);
  expect(steps).toEqual([{ headers: {}, text: '{}' }, 'released']);
});
