/** Which target answers, and when no other may be tried any more. */
import { describe, expect, test } from 'vitest';
import { type ErrorKind, GatewayError } from '../../lib/core/errors.ts';
import type { GenerationEvent } from '../../lib/core/generation/events.ts';
import type { Target } from '../../lib/core/model.ts';
import { firstAnswer } from '../../lib/routing/attempt.ts';
import { committed } from '../../lib/routing/begin.ts';
import { testTarget } from '../harness/matrix/model.ts';

type Script = GenerationEvent | GatewayError;

const start: GenerationEvent = { type: 'start' };
const text: GenerationEvent = { type: 'text', choice: 0, text: 'hello' };
const finish: GenerationEvent = { type: 'finish', choice: 0, reason: 'stop' };
const failure = (kind: ErrorKind, details = {}) => new GatewayError(kind, 'It failed.', details);

async function* play(scripts: readonly Script[]): AsyncGenerator<readonly GenerationEvent[]> {
  for (const script of scripts) {
    if (script instanceof GatewayError) throw script;
    yield [script];
  }
}

/** Each target plays its scripts one after the other, one a try. */
async function run(
  plans: Record<string, readonly (readonly Script[])[]>,
  remainingMs = 60_000,
  signal = new AbortController().signal,
) {
  const targets = Object.keys(plans).map((id) => testTarget({ id }));
  const tried: string[] = [];
  const failed: string[] = [];
  const tries = new Map<string, number>();
  const answer = firstAnswer({
    targets,
    async ask({ model: { id } }: Target, limitMs) {
      const open = async () => {
        const count = tries.get(id) ?? 0;
        tries.set(id, count + 1);
        const script = plans[id]?.[count] ?? [];
        const [first] = script;
        if (first instanceof GatewayError) throw first;
        return { events: play(script), details: id };
      };
      try {
        const answer = await committed(open, limitMs, signal);
        tried.push(`${id} succeeded`);
        return answer;
      } catch (error) {
        tried.push(`${id} ${error instanceof GatewayError ? (error.code ?? error.kind) : error}`);
        throw error;
      }
    },
    now: Date.now,
    remainingMs: () => remainingMs,
    signal,
    onFailed: ({ model }) => failed.push(model.id),
  });
  return { answer, log: () => tried, failed };
}

describe('the first target', () => {
  test('answers alone when it can', async () => {
    const { answer, log } = await run({ a: [[start, text, finish]], b: [[start, text, finish]] });
    const { details, events } = (await answer).answer;
    expect([details, (await Array.fromAsync(events)).flat()]).toEqual(['a', [start, text, finish]]);
    expect(log()).toEqual(['a succeeded']);
  });

  test.each<ErrorKind>(['upstream_overloaded', 'upstream_unreachable', 'upstream_failed'])(
    'is asked once more after %s',
    async (kind) => {
      const { answer, log } = await run({ a: [[failure(kind)], [start, text, finish]] });
      expect((await answer).answer.details).toBe('a');
      expect(log()).toHaveLength(2);
    },
  );

  test.each<ErrorKind>([
    'upstream_timeout',
    'upstream_credentials',
    'upstream_quota',
    'upstream_model_missing',
  ])('is not asked again after %s: the next one is', async (kind) => {
    const { answer, log } = await run({ a: [[failure(kind)]], b: [[start, text, finish]] });
    expect((await answer).answer.details).toBe('b');
    expect(log()).toEqual([`a ${failure(kind).code}`, 'b succeeded']);
  });

  test.each<ErrorKind>(['upstream_bad_request', 'upstream_context_length', 'upstream_content_policy'])(
    'has the last word on %s',
    async (kind) => {
      const { answer, log } = await run({ a: [[failure(kind)]], b: [[start, text, finish]] });
      await expect(answer).rejects.toMatchObject({ kind });
      expect(log()).toHaveLength(1);
    },
  );

  test('is given the time it asks for, if the deadline allows', async () => {
    const limited = failure('upstream_rate_limited', { retryAfterMs: 700 });
    const began = performance.now();
    const { answer } = await run({ a: [[limited], [start, text, finish]] });
    await answer;
    expect(performance.now() - began).toBeGreaterThanOrEqual(690);
    const hurried = await run({ a: [[limited], [start, text, finish]] }, 600);
    await expect(hurried.answer).rejects.toMatchObject({ kind: 'upstream_rate_limited' });
  });
});

describe("the provider's word on a second try", () => {
  test('against it: the next target is asked at once', async () => {
    const refused = failure('upstream_overloaded', { mayRetry: false });
    const { answer, log } = await run({ a: [[refused]], b: [[start, text, finish]] });
    expect((await answer).answer.details).toBe('b');
    expect(log()).toHaveLength(2);
  });

  test('for it: a target that would not be asked again is', async () => {
    const encouraged = failure('upstream_quota', { mayRetry: true, retryAfterMs: 0 });
    const { answer, log } = await run({ a: [[encouraged], [start, text, finish]], b: [[text]] });
    expect((await answer).answer.details).toBe('a');
    expect(log()).toHaveLength(2);
  });

  test('never makes a bad request a good one', async () => {
    const refused = failure('upstream_bad_request', { mayRetry: true });
    const { answer } = await run({ a: [[refused], [start, text, finish]] });
    await expect(answer).rejects.toBe(refused);
  });
});

test('a wait longer than ten seconds is left to the caller', async () => {
  const limited = failure('upstream_rate_limited', { retryAfterMs: 11_000 });
  const began = performance.now();
  const { answer, log } = await run({ a: [[limited], [start, text, finish]] });
  await expect(answer).rejects.toMatchObject({ kind: 'upstream_rate_limited', retryAfterMs: 11_000 });
  expect([log().length, performance.now() - began < 400]).toEqual([1, true]);
});

test('a caller who leaves during a wait is owed no further call', async () => {
  const leaving = new AbortController();
  const scripts = { a: [[failure('upstream_overloaded')], [text]], b: [[start, text, finish]] };
  const { answer, log } = await run(scripts, 60_000, leaving.signal);
  setTimeout(() => leaving.abort(), 50);
  await expect(answer).rejects.toMatchObject({ kind: 'upstream_overloaded' });
  expect(log()).toHaveLength(1);
});

describe('a target that began and shows nothing', () => {
  /** Signs of life until it is given up. */
  async function* silent(signal: AbortSignal): AsyncGenerator<readonly GenerationEvent[]> {
    yield [start];
    await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(failure('client_closed')));
      setTimeout(() => reject(failure('upstream_cut')), 400);
    });
  }

  const ask = (ids: readonly string[]) =>
    firstAnswer({
      targets: ids.map((id) => testTarget({ id })),
      ask: ({ model: { id } }, limitMs) => {
        const open = async (signal: AbortSignal) => ({
          events: id === 'silent' ? silent(signal) : play([start, text, finish]),
          details: id,
        });
        return committed(open, limitMs, new AbortController().signal);
      },
      firstTokenMs: () => 100,
      now: Date.now,
      remainingMs: () => 300,
      signal: new AbortController().signal,
      onFailed: () => undefined,
    });

  test('is given up while another one is left', async () => {
    const { answer, attempts } = await ask(['silent', 'other']);
    expect([answer.details, attempts.map(({ reason }) => reason)]).toEqual([
      'other',
      ['provider_timeout', undefined],
    ]);
  });

  test('is waited for when it is the last', async () => {
    await expect(ask(['silent'])).rejects.toMatchObject({ kind: 'upstream_cut' });
  });
});

describe('the commit', () => {
  test('an error before the first token moves on, though the stream had begun', async () => {
    const broken = [start, failure('upstream_overloaded')];
    const { answer, log } = await run({ a: [broken, broken], b: [[start, text, finish]] });
    expect((await answer).answer.details).toBe('b');
    expect(log()).toEqual(['a provider_overloaded', 'a provider_overloaded', 'b succeeded']);
  });

  test('an error after the first token never does', async () => {
    const { answer, log } = await run({ a: [[start, text, failure('upstream_cut')]], b: [[text]] });
    const { events } = (await answer).answer;
    await expect(Array.fromAsync(events)).rejects.toMatchObject({ kind: 'upstream_cut' });
    expect(log()).toEqual(['a succeeded']);
  });

  test('an answer that ends before it begins is none', async () => {
    const { answer } = await run({ a: [[start], [start]] });
    await expect(answer).rejects.toMatchObject({ kind: 'upstream_cut' });
  });

  test('a reader who leaves closes the answer of the target', async () => {
    let closed = false;
    async function* endless(): AsyncGenerator<readonly GenerationEvent[]> {
      try {
        for (;;) yield [text];
      } finally {
        closed = true;
      }
    }
    const { signal } = new AbortController();
    const { answer } = await firstAnswer({
      targets: [testTarget()],
      ask: (_, limitMs) => committed(async () => ({ events: endless() }), limitMs, signal),
      now: Date.now,
      remainingMs: () => 1000,
      signal,
      onFailed: () => undefined,
    });
    for await (const _ of answer.events) break;
    expect(closed).toBe(true);
  });
});

test('a target that was given up is told once, however often it was tried', async () => {
  const overloaded = [failure('upstream_overloaded')];
  const { answer, log, failed } = await run({ a: [overloaded, overloaded], b: [[start, text, finish]] });
  await answer;
  expect(log()).toHaveLength(3);
  expect(failed).toEqual(['a']);
  const mended = await run({ a: [overloaded, [start, text, finish]] });
  await mended.answer;
  expect(mended.failed).toEqual([]);
});

describe('when all targets fail', () => {
  test('alike, the first failure is told', async () => {
    const quota = failure('upstream_quota', { retryAfterMs: 1 });
    const { answer } = await run({ a: [[quota]], b: [[failure('upstream_quota')]] });
    await expect(answer).rejects.toBe(quota);
  });

  test('differently, that all failed', async () => {
    const { answer } = await run({ a: [[failure('upstream_quota')]], b: [[failure('upstream_timeout')]] });
    await expect(answer).rejects.toMatchObject({
      status: 500,
      type: 'api_error',
      code: 'all_targets_failed',
    });
  });
});
