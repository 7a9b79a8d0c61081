/** The time limit of a request, and its caller's leaving. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { Interrupt } from '../../lib/core/interrupt.ts';
import { createReadOn, maxReadingOn } from '../../lib/core/read-on.ts';
import { startBufferedDeadline, startDeadline } from '../../lib/http/deadline.ts';

let time: number;
beforeEach(() => {
  time = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => void vi.useRealTimers());

/** A function that may run for so long. */
const contextOf = (totalMs: number, interrupt?: Interrupt) => ({
  remainingMs: () => totalMs - time,
  ...(interrupt && { interrupt }),
});

function pass(milliseconds: number): void {
  time += milliseconds;
  vi.advanceTimersByTime(milliseconds);
}

test('the time is up three seconds before the function is ended', () => {
  const { signal, remainingMs } = startDeadline(contextOf(4_000));
  expect(remainingMs()).toBe(1_000);
  pass(999);
  expect([signal.aborted, remainingMs()]).toEqual([false, 1]);
  pass(1);
  expect([signal.aborted, remainingMs()]).toEqual([true, 0]);
  expect(signal.reason).toMatchObject({ kind: 'deadline_exceeded' });
  pass(1_000);
  expect(remainingMs()).toBe(0);
});

test('a function with less time than that has none for a request', () => {
  const { signal, remainingMs } = startDeadline(contextOf(2_000));
  expect(remainingMs()).toBe(0);
  pass(1);
  expect(signal.aborted).toBe(true);
});

test('a caller who leaves ends the request', () => {
  const caller = new Interrupt();
  const { signal } = startDeadline(contextOf(4_000, caller));
  expect(signal.aborted).toBe(false);
  caller.leave();
  expect(signal.reason).toMatchObject({ kind: 'client_closed' });
  pass(10_000);
  expect(signal.reason).toMatchObject({ kind: 'client_closed' });
});

test('a caller who left before ends it at once', () => {
  const caller = new Interrupt();
  caller.leave();
  const { signal } = startDeadline(contextOf(4_000, caller));
  expect(signal.reason).toMatchObject({ kind: 'client_closed' });
});

describe('calls of a provider', () => {
  const leave = (readOn = createReadOn(1_000)) => {
    const caller = new Interrupt();
    const deadline = startDeadline(contextOf(4_500, caller), readOn);
    caller.leave();
    expect(deadline.signal.reason).toMatchObject({ kind: 'client_closed' });
    return { ...deadline, stop: () => caller.stop(new GatewayError('gateway_stopping', 'It stops.')) };
  };

  test('last longer than their caller, by a limit', () => {
    const { lasting } = leave();
    pass(999);
    expect(lasting.aborted).toBe(false);
    pass(1);
    expect(lasting.reason).toMatchObject({ kind: 'client_closed' });
  });

  test('end when the server stops', () => {
    const { lasting, stop } = leave();
    stop();
    expect(lasting.aborted).toBe(true);
  });

  test('end at once with a limit of 0, and beyond as many as are read on in a process', () => {
    expect(leave(createReadOn(0)).lasting.aborted).toBe(true);
    const readOn = createReadOn();
    const all = Array.from({ length: maxReadingOn }, () => leave(readOn));
    expect(leave(readOn).lasting.aborted).toBe(true);
    expect(all.some(({ lasting }) => lasting.aborted)).toBe(false);
    all[0]?.clear();
    expect(leave(readOn).lasting.aborted).toBe(false);
  });
});

test('a request that is over is not ended any more', () => {
  const caller = new Interrupt();
  const { signal, clear } = startDeadline(contextOf(4_000, caller));
  clear();
  pass(10_000);
  caller.leave();
  expect(signal.aborted).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

describe('the deadline of an answer that is not streamed', () => {
  const start = (totalMs: number) => {
    const request = new AbortController();
    const all = {
      remainingMs: () => Math.max(0, totalMs - time),
      abort: (reason: Error) => request.abort(reason),
    };
    const limit = { share: 0.9, message: 'It took too long.' };
    return { ...startBufferedDeadline(all, limit), signal: request.signal };
  };

  test.each([
    [100_000, 90_000],
    [600_000, 285_000],
    [900_000, 285_000],
  ])('leaves a tenth of %d ms to send it, and no connection idle for five minutes', (total, given) => {
    expect(start(total).remainingMs()).toBe(given);
  });

  test('ends the request with a 408 before its own deadline', () => {
    const { signal } = start(400);
    pass(359);
    expect(signal.aborted).toBe(false);
    pass(1);
    const reason = { kind: 'deadline_exceeded', status: 408, message: 'It took too long.' };
    expect(signal.reason).toMatchObject(reason);
  });

  test('leaves no short timer when it is cleared', () => {
    const { clear } = start(1_000);
    expect(vi.getTimerCount()).toBe(1);
    clear();
    expect(vi.getTimerCount()).toBe(0);
  });
});
