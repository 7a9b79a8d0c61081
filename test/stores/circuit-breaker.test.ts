/** When the database counts as down: after a silence, which does not include the time in which this process was busy. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import { withCircuitBreaker } from '../../lib/stores/dynamodb/circuit-breaker.ts';
import { startStopwatch } from '../harness/stopwatch.ts';

const silent: AwsCall = () => new Promise<never>(() => {});

/** Answers after this many turns of the event loop. */
const answerAfter =
  (turns: number): AwsCall =>
  async () => {
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    return { turns };
  };

function blockFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const callOf = (call: AwsCall) => call('DynamoDB_20120810.GetItem', {}, {});

describe('a call', () => {
  test('that is not answered times out', async () => {
    const call = withCircuitBreaker(silent, 100);
    await expect(callOf(call)).rejects.toThrow('does not answer');
  });

  test.each([0, 1])('does not time out while this process is busy, after %d timeouts', async (timeouts) => {
    let answer: AwsCall = silent;
    const call = withCircuitBreaker((...args) => answer(...args), 200);
    for (let count = 0; count < timeouts; count += 1)
      await expect(callOf(call)).rejects.toThrow('does not answer');
    answer = answerAfter(20);
    const asked = callOf(call);
    blockFor(400);
    expect(await asked).toEqual({ turns: 20 });
  });

  test('waits while the database answers other calls', async () => {
    const { promise: slow, resolve } = Promise.withResolvers<Record<string, unknown>>();
    let answer: AwsCall = () => slow;
    const call = withCircuitBreaker((...args) => answer(...args), 500);
    const waiting = callOf(call);
    answer = answerAfter(1);
    for (let count = 0; count < 10; count += 1) {
      await sleep(100);
      await callOf(call);
    }
    resolve({ slow: true });
    expect(await waiting).toEqual({ slow: true });
  });
});

test('without calls, the next one has the whole time', async () => {
  let answer: AwsCall = answerAfter(1);
  const call = withCircuitBreaker((...args) => answer(...args), 400);
  await callOf(call);
  await sleep(500);
  answer = () => sleep(200, { late: true });
  expect(await callOf(call)).toEqual({ late: true });
});

test('after a timeout, calls are probes that time out faster, until one is answered', async () => {
  let answer: AwsCall = silent;
  const call = withCircuitBreaker((...args) => answer(...args), 1_000);
  const timeOut = async () => {
    const startedAt = performance.now();
    const watch = startStopwatch();
    await expect(callOf(call)).rejects.toThrow('does not answer');
    return { waitedMs: watch.waitedMs(), totalMs: performance.now() - startedAt };
  };
  expect((await timeOut()).totalMs).toBeGreaterThan(980);
  expect((await timeOut()).waitedMs).toBeLessThan(500);
  answer = answerAfter(1);
  expect(await callOf(call)).toEqual({ turns: 1 });
  answer = silent;
  expect((await timeOut()).totalMs).toBeGreaterThan(980);
});
