/** Requests with the header `Idempotency-Key`: how they wait, and what is kept of their answers. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import type { FirstClaim, KeptAnswer } from '../../lib/core/ports/kept-answers.ts';
import type { RequestMemory } from '../../lib/core/ports/memory.ts';
import { claim, keptFor } from '../../lib/http/idempotency.ts';
import { seenResponse } from './response-double.ts';

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

test('an answer is not read again while there is no memory for it', async () => {
  const read = () => Promise.reject(new Error('It was read.'));
  const again = claim(
    { idempotencyKey: 'one', body: '{}' },
    {
      claimAnswer: async () => ({ state: 'kept', bytes: 1_000, read }),
      operation,
      key,
      signal: new AbortController().signal,
      memory: memoryOf((bytes) => bytes < 1_000),
    },
  );
  await expect(again).rejects.toMatchObject({ kind: 'server_busy' });
});

const memoryOf = (admit: RequestMemory['admit']): RequestMemory => ({
  admit,
  admitAnswer: () => undefined,
  reserve: () => true,
});

/** A claim that notes what becomes of it. */
function noted(keep: (answer?: KeptAnswer) => Promise<boolean> = async () => true) {
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

/** Sends the same piece so often, and keeps the answer. `admit`: whether there is memory for so many bytes more. */
async function stream(piece: string, count: number, admit: (bytes: number) => boolean = () => true) {
  const { first, steps } = noted();
  let admitted = 0;
  const body = {
    async sendTo(response: Writable) {
      for (let sent = 0; sent < count; sent += 1) if (!response.write(piece)) await once(response, 'drain');
    },
  };
  const memory = memoryOf((bytes) => {
    admitted += bytes;
    return admit(admitted);
  });
  const kept = await keptFor(
    { statusCode: 200, headers: {}, body },
    { claim: first, isComplete, log, memory },
  );
  const response = seenResponse();
  if (typeof kept.body !== 'string') await kept.body.sendTo(response);
  return { steps, admitted, sent: response.pieces.length };
}

test('what is held of an answer is counted in the memory of its process', async () => {
  const { steps, admitted } = await stream('a word', 10);
  expect(steps).toEqual([{ headers: {}, text: 'a word'.repeat(10) }]);
  expect(admitted).toBeGreaterThanOrEqual(2 * 'a word'.length * 10);
});

test('of an answer that is too large to keep, nothing is held, and nothing more is counted', async () => {
  const megabytes = await stream('x'.repeat(2 ** 20), 200);
  expect([megabytes.steps, megabytes.sent]).toEqual([[undefined], 200]);
  expect(megabytes.admitted).toBeLessThan(64 * 2 ** 20);
});

test('an answer without memory for its copy is sent, and not kept', async () => {
  const { steps, sent } = await stream('a word', 100, (bytes) => bytes < 500);
  expect([steps, sent]).toEqual([[undefined], 100]);
});

test('a text that is too large to keep is not written once more', async () => {
  const { first, steps } = noted();
  const answer = { statusCode: 200, headers: {}, body: 'x'.repeat(9 * 2 ** 20) };
  expect(await keptFor(answer, { claim: first, isComplete, log })).toBe(answer);
  expect(steps).toEqual([undefined]);
});
