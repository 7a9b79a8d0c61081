/** The memory that the requests of a process share: who gets it, and what the others are answered. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Operation } from '../../lib/core/operations.ts';
import { type GatewayServer, startServer } from '../../server/http/server.ts';
import { loadInProcessEngine } from '../../server/in-process.ts';
import {
  bodyValues,
  createMemoryBudget,
  defaultBudgetBytes,
  type MemoryBudget,
  memoryOfBody,
  minBudgetBytes,
  requestBytes,
  unlimitedBudget,
} from '../../server/process/memory-budget.ts';

const megabyte = 1024 * 1024;

describe('a budget', () => {
  test('counts what is taken, and what is given back', () => {
    const budget = createMemoryBudget(10 * megabyte);
    const request = budget.open();
    expect([request.admit(2 * megabyte), request.admit(megabyte), budget.used()]).toEqual([
      true,
      true,
      3 * megabyte,
    ]);
    request.release();
    request.release();
    expect(budget.used()).toBe(0);
  });

  test('gives a request nothing after its end, and counts that as no refusal', () => {
    const budget = createMemoryBudget(10 * megabyte);
    const request = budget.open();
    request.release();
    expect([request.admit(megabyte), request.reserve(megabyte), request.fits(1)]).toEqual([
      false,
      false,
      false,
    ]);
    expect([budget.used(), budget.refused()]).toEqual([0, 0]);
  });

  test('keeps a quarter for requests without much of their own', () => {
    const budget = createMemoryBudget(8 * megabyte);
    expect(budget.open().admit(6 * megabyte)).toBe(true);
    expect(budget.open().admit(2 * megabyte)).toBe(false);
    expect([budget.open().admit(megabyte), budget.open().admit(megabyte)]).toEqual([true, true]);
    expect(budget.open().admit(1)).toBe(false);
    expect(budget.refused()).toBe(2);
  });

  test('says what is spare, and when more of it is taken', () => {
    const budget = createMemoryBudget(8 * megabyte);
    const spare: number[] = [];
    budget.onTaken(() => spare.push(budget.spare()));
    const request = budget.open();
    request.admit(2 * megabyte);
    request.reserve(4 * megabyte);
    expect(spare).toEqual([6 * megabyte, 2 * megabyte]);
    request.release();
    expect([budget.spare(), unlimitedBudget().spare()]).toEqual([8 * megabyte, 0]);
  });

  test('cannot be exceeded in small steps', () => {
    const budget = createMemoryBudget(8 * megabyte);
    const request = budget.open();
    let taken = 0;
    while (request.admit(megabyte / 4)) taken += 1;
    expect(taken).toBe(24);
  });

  test('is used first where it was reserved, and one that is alone is tried whatever it needs', () => {
    const budget = createMemoryBudget(8 * megabyte);
    const [request, other] = [budget.open(), budget.open()];
    expect([request.reserve(4 * megabyte), request.reserve(3 * megabyte), budget.used()]).toEqual([
      true,
      true,
      4 * megabyte,
    ]);
    expect([other.reserve(4 * megabyte), other.admit(megabyte)]).toEqual([false, true]);
    expect([request.admit(3 * megabyte), request.admit(2 * megabyte), budget.used()]).toEqual([
      true,
      true,
      6 * megabyte,
    ]);
    request.release();
    other.release();
    expect([budget.open().reserve(100 * megabyte), budget.used()]).toEqual([true, 6 * megabyte]);
  });

  test('has room for the largest request in the smallest container, and for many in a large one', () => {
    expect(defaultBudgetBytes(1, 64 * megabyte)).toBe(minBudgetBytes);
    expect(defaultBudgetBytes(1, 4_096 * megabyte)).toBeGreaterThan(4 * minBudgetBytes);
    expect(defaultBudgetBytes(2, 2_048 * megabyte)).toBeLessThan(defaultBudgetBytes(1, 2_048 * megabyte));
  });
});

describe('a server', () => {
  const size = 200_000;
  const operation: Operation = {
    name: 'models',
    path: '/wait',
    method: 'POST',
    authenticated: false,
    reads: [],
    timeoutSeconds: 60,
  };
  let budget: MemoryBudget;
  let server: GatewayServer;
  let answers: (() => void)[];

  beforeEach(async () => {
    answers = [];
    // Three large requests in what is not kept for light ones.
    budget = createMemoryBudget(4 * memoryOfBody(size, 0));
    const invoke = await loadInProcessEngine([operation], async () => async () => {
      await new Promise<void>((resolve) => void answers.push(resolve));
      return { statusCode: 200, headers: {}, body: '{}' };
    });
    server = await startServer({ operations: [operation], invoke, port: 0, memory: budget });
  });
  afterEach(() => server.close(100));

  const ask = (body: string | ReadableStream) =>
    fetch(`${server.url}/wait`, {
      method: 'POST',
      body,
      ...(typeof body !== 'string' && { duplex: 'half' }),
    });
  const answerAll = () => {
    for (const answer of answers.splice(0)) answer();
  };

  test('refuses a large body when the budget is used up, serves a light one, and gives everything back', async () => {
    const large = Array.from({ length: 3 }, () => ask('x'.repeat(size)));
    await expect.poll(() => answers.length).toBe(3);
    const refused = await ask('x'.repeat(size));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({
      type: 'error',
      error: { type: 'service_unavailable_error', code: 'server_busy', param: null },
      request_id: refused.headers.get('request-id'),
    });
    const light = ask('{}');
    await expect.poll(() => answers.length).toBe(4);
    expect(budget.used()).toBe(3 * memoryOfBody(size, 0) + memoryOfBody(2));
    answerAll();
    for (const answered of [...large, light]) expect((await answered).status).toBe(200);
    await expect.poll(() => budget.used()).toBe(0);
    expect(budget.refused()).toBe(1);
  });

  test('counts a body without a length when it is there', async () => {
    const large = Array.from({ length: 3 }, () => ask('x'.repeat(size)));
    await expect.poll(() => answers.length).toBe(3);
    const unannounced = await ask(ReadableStream.from([new TextEncoder().encode('x'.repeat(size))]));
    expect([unannounced.status, answers.length]).toEqual([503, 3]);
    answerAll();
    await Promise.all(large);
  });

  test('gives back what a client had who left', async () => {
    const leaving = new AbortController();
    const left = fetch(`${server.url}/wait`, {
      method: 'POST',
      body: 'x'.repeat(size),
      signal: leaving.signal,
    }).catch(() => undefined);
    await expect.poll(() => answers.length).toBe(1);
    leaving.abort();
    await left;
    await pause(50);
    // The function still has its request.
    expect(budget.used()).toBe(memoryOfBody(size, 0));
    answerAll();
    await expect.poll(() => budget.used()).toBe(0);
  });

  test('takes more for a large body of many values than for one of few texts, and at most what it always took', () => {
    const words = Buffer.from(
      JSON.stringify({ content: 'some "words", and more.\\n '.repeat(20_000), at: 'the end\\' }),
    );
    const values = Buffer.from(JSON.stringify(Array.from({ length: 200_000 }, () => ({}))));
    const [few, many] = [words, values].map(
      (body) => memoryOfBody(body.length, bodyValues(body)) / body.length,
    );
    expect(few).toBeLessThan(7);
    expect(many).toBeGreaterThan(12);
    expect(memoryOfBody(values.length, bodyValues(values))).toBe(memoryOfBody(values.length));
  });

  test('takes little for a light request', () => {
    expect(memoryOfBody(2_000)).toBeLessThan(1.1 * requestBytes);
  });
});
