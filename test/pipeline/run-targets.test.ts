/** Which target answers, and when no other target is tried any more. */

import { describe, expect, test } from 'vitest';
import { type Batched, pipe } from '../../lib/async/pipe.ts';
import type { Call } from '../../lib/core/endpoint.ts';
import type { ErrorKind } from '../../lib/core/errors/error-kinds.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import type { GenerationEvent } from '../../lib/core/generation/events.ts';
import { awaitFirstEvent } from '../../lib/pipeline/first-event.ts';
import type { CallOptions, ModelTask } from '../../lib/pipeline/model-task.ts';
import type { PipelineParts } from '../../lib/pipeline/parts.ts';
import { runTargets } from '../../lib/pipeline/run-targets.ts';
import type { Provider } from '../../lib/providers/provider.ts';
import { connectionsBy } from '../harness/connections.ts';
import { testModel } from '../harness/matrix/model.ts';
import { noNames } from '../harness/no-names.ts';
import { startStopwatch } from '../harness/stopwatch.ts';

type Script = GenerationEvent | GatewayError;

const start: GenerationEvent = { type: 'start' };
const text: GenerationEvent = { type: 'text', choice: 0, text: 'hello' };
const finish: GenerationEvent = { type: 'finish', choice: 0, reason: 'stop' };
const failure = (kind: ErrorKind, details = {}) => new GatewayError(kind, 'It failed.', details);

async function* emit(scripts: readonly Script[]): AsyncGenerator<readonly GenerationEvent[]> {
  for (const script of scripts) {
    if (script instanceof GatewayError) throw script;
    yield [script];
  }
}

const provider: Provider = { name: 'acme', isConfigured: () => true, authorize: (request) => request };

/** A gateway of which every model has one deployment, at a provider that can be called. */
function partsOf(ids: readonly string[], failed: string[]): PipelineParts {
  const models = ids.map((id) => testModel({ id }));
  return {
    catalog: {
      find: async (id) => models.find((model) => model.id === id),
      list: async () => models,
      ...noNames,
    },
    providers: { load: async () => provider, loadBuiltIn: async () => provider, get: () => provider },
    connections: connectionsBy(() => Promise.reject(new Error('Nothing is sent.'))),
    health: { failed: ({ model }) => failed.push(model.id), succeeded: () => {}, isFailing: () => false },
    now: Date.now,
  };
}

/** `open` gives the events of a target; the rest of the task is the plainest. */
const asTheyAre = {
  each: (list: readonly GenerationEvent[], out: GenerationEvent[]) => void out.push(...list),
};

function taskOf(
  ids: readonly string[],
  open: (id: string, signal: AbortSignal) => Batched<GenerationEvent>,
  others: Partial<ModelTask<string, Batched<GenerationEvent>>> = {},
): ModelTask<string, Batched<GenerationEvent>> {
  const [model = '', ...fallbacks] = ids;
  return {
    endpoint: 'chat_completions',
    model,
    fallbacks,
    needs: [],
    canServe: () => true,
    inputTokens: () => 9,
    maxTokens: () => ({ input: 0, output: 0 }),
    firstOutputMs: () => undefined,
    prepare: ({ model: { id } }) => id,
    async call(id, { signal, firstOutputMs }: CallOptions) {
      const ending = new AbortController();
      signal.addEventListener('abort', () => ending.abort(signal.reason));
      const events = pipe(open(id, ending.signal), asTheyAre);
      return await awaitFirstEvent(events, { limitMs: firstOutputMs, ending });
    },
    ...others,
  };
}

function callOf(remainingMs = 60_000, signal = new AbortController().signal): Call<unknown> {
  const call = {
    input: undefined,
    requestId: 'request-1',
    signal,
    remainingMs: () => remainingMs,
    facts: { attempts: [] },
  };
  return { ...call, admit: async () => {}, begin: () => {} };
}

/** Each target runs its scripts one after the other, one for each call. */
async function run(
  plans: Record<string, readonly (readonly Script[])[]>,
  remainingMs?: number,
  signal?: AbortSignal,
) {
  const ids = Object.keys(plans);
  const called: string[] = [];
  const failed: string[] = [];
  const task = taskOf(ids, (id) => {
    const count = called.filter((one) => one === id).length;
    called.push(id);
    return emit(plans[id]?.[count] ?? []);
  });
  const answer = runTargets(partsOf(ids, failed), task, callOf(remainingMs, signal));
  return { answer, called, failed };
}

/** The attempts of an answer, in words. */
const attemptsOf = async ({ answer }: Awaited<ReturnType<typeof run>>) =>
  (await answer).attempts.map(({ target, status, reason }) => `${target.model.id} ${reason ?? status}`);

describe('the first target', () => {
  test('answers alone when it can', async () => {
    const ran = await run({ a: [[start, text, finish]], b: [[start, text, finish]] });
    const { answer, prepared } = await ran.answer;
    expect([prepared, (await Array.fromAsync(answer)).flat()]).toEqual(['a', [start, text, finish]]);
    expect(await attemptsOf(ran)).toEqual(['a succeeded']);
  });

  test.each<ErrorKind>(['upstream_overloaded', 'upstream_unreachable', 'upstream_failed'])(
    'is asked once more after %s',
    async (kind) => {
      const ran = await run({ a: [[failure(kind)], [start, text, finish]] });
      expect(await attemptsOf(ran)).toEqual([`a ${failure(kind).code}`, 'a succeeded']);
    },
  );

  test.each<ErrorKind>([
    'upstream_timeout',
    'upstream_credentials',
    'upstream_quota',
    'upstream_model_missing',
  ])('is not asked again after %s: the next one is', async (kind) => {
    const ran = await run({ a: [[failure(kind)]], b: [[start, text, finish]] });
    expect(await attemptsOf(ran)).toEqual([`a ${failure(kind).code}`, 'b succeeded']);
  });

  test.each<ErrorKind>(['upstream_bad_request', 'upstream_context_length', 'upstream_content_policy'])(
    'has the last word on %s',
    async (kind) => {
      const { answer, called } = await run({ a: [[failure(kind)]], b: [[start, text, finish]] });
      await expect(answer).rejects.toMatchObject({ kind });
      expect(called).toEqual(['a']);
    },
  );

  test('is given the time it asks for, if the deadline allows', async () => {
    const limited = failure('upstream_rate_limited', { retryAfterMs: 700 });
    const began = performance.now();
    await (await run({ a: [[limited], [start, text, finish]] })).answer;
    expect(performance.now() - began).toBeGreaterThanOrEqual(690);
    const hurried = await run({ a: [[limited], [start, text, finish]] }, 600);
    await expect(hurried.answer).rejects.toMatchObject({ kind: 'upstream_rate_limited' });
  });
});

describe("the provider's word on a second try", () => {
  test('against it: the next target is asked at once', async () => {
    const refused = failure('upstream_overloaded', { mayRetry: false });
    const ran = await run({ a: [[refused]], b: [[start, text, finish]] });
    expect(await attemptsOf(ran)).toEqual(['a provider_overloaded', 'b succeeded']);
  });

  test('for it: a target that would not be asked again is', async () => {
    const encouraged = failure('upstream_quota', { mayRetry: true, retryAfterMs: 0 });
    const ran = await run({ a: [[encouraged], [start, text, finish]], b: [[text]] });
    expect(await attemptsOf(ran)).toEqual(['a provider_quota', 'a succeeded']);
  });

  test('never makes a bad request a good one', async () => {
    const refused = failure('upstream_bad_request', { mayRetry: true });
    const { answer } = await run({ a: [[refused], [start, text, finish]] });
    await expect(answer).rejects.toBe(refused);
  });
});

test('a wait longer than ten seconds is left to the caller', async () => {
  const limited = failure('upstream_rate_limited', { retryAfterMs: 11_000 });
  const watch = startStopwatch();
  const { answer, called } = await run({ a: [[limited], [start, text, finish]] });
  await expect(answer).rejects.toMatchObject({ kind: 'upstream_rate_limited', retryAfterMs: 11_000 });
  expect([called, watch.waitedMs() < 10_000]).toEqual([['a'], true]);
});

test('a caller who leaves during a wait is owed no further call', async () => {
  const leaving = new AbortController();
  const scripts = { a: [[failure('upstream_overloaded')], [text]], b: [[start, text, finish]] };
  const { answer, called } = await run(scripts, 60_000, leaving.signal);
  setTimeout(() => leaving.abort(), 50);
  await expect(answer).rejects.toMatchObject({ kind: 'upstream_overloaded' });
  expect(called).toEqual(['a']);
});

test('a caller who leaves during a wait has closed the request, whatever the provider had answered', async () => {
  const leaving = new AbortController();
  const closed = failure('client_closed');
  const { answer, called } = await run(
    { a: [[failure('upstream_overloaded')], [text]] },
    60_000,
    leaving.signal,
  );
  setTimeout(() => leaving.abort(closed), 50);
  await expect(answer).rejects.toBe(closed);
  expect(called).toEqual(['a']);
});

test('a deployment whose provider cannot be read is skipped', async () => {
  const deployments = ['gone', 'acme'].map((name) => ({
    provider: name,
    region: 'global',
    upstreamId: 'one',
  }));
  const model = testModel({ id: 'a', deployments });
  const parts = partsOf(['a'], []);
  const load = async (name: string) => {
    if (name === 'gone') throw failure('internal');
    return provider;
  };
  const task = taskOf(['a'], () => emit([start, text]));
  const { target } = await runTargets(
    {
      ...parts,
      catalog: { find: async () => model, list: async () => [model], ...noNames },
      providers: { ...parts.providers, load },
    },
    task,
    callOf(),
  );
  expect(target.deployment.provider).toBe('acme');
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

  const ask = (ids: readonly string[]) => {
    const open = (id: string, signal: AbortSignal) =>
      id === 'silent' ? silent(signal) : emit([start, text, finish]);
    return runTargets(partsOf(ids, []), taskOf(ids, open, { firstOutputMs: () => 100 }), callOf(300));
  };

  test('is given up while another target is left', async () => {
    const { prepared, attempts } = await ask(['silent', 'other']);
    expect([prepared, attempts.map(({ reason }) => reason)]).toEqual([
      'other',
      ['provider_timeout', undefined],
    ]);
  });

  test('is waited for when it is the last', async () => {
    await expect(ask(['silent'])).rejects.toMatchObject({ kind: 'upstream_cut' });
  });
});

describe('the first meaningful event', () => {
  test('has not come when the stream fails before it: the next target is tried', async () => {
    const broken = [start, failure('upstream_overloaded')];
    const ran = await run({ a: [broken, broken], b: [[start, text, finish]] });
    expect(await attemptsOf(ran)).toEqual(['a provider_overloaded', 'a provider_overloaded', 'b succeeded']);
  });

  test('is the last moment for another target', async () => {
    const ran = await run({ a: [[start, text, failure('upstream_cut')]], b: [[text]] });
    const { answer } = await ran.answer;
    await expect(Array.fromAsync(answer)).rejects.toMatchObject({ kind: 'upstream_cut' });
    expect(ran.called).toEqual(['a']);
  });

  test('never comes in an answer that ends before it: that is a failure', async () => {
    const { answer } = await run({ a: [[start], [start]] });
    await expect(answer).rejects.toMatchObject({ kind: 'upstream_cut' });
  });

  test('a reader who leaves closes the stream of the target', async () => {
    let closed = false;
    async function* endless(): AsyncGenerator<readonly GenerationEvent[]> {
      try {
        for (;;) yield [text];
      } finally {
        closed = true;
      }
    }
    const { answer } = await runTargets(partsOf(['a'], []), taskOf(['a'], endless), callOf(1000));
    for await (const _ of answer) break;
    expect(closed).toBe(true);
  });
});

test('a target that failed counts once for the request, however often it was called', async () => {
  const overloaded = [failure('upstream_overloaded')];
  const ran = await run({ a: [overloaded, overloaded], b: [[start, text, finish]] });
  await ran.answer;
  expect([ran.called, ran.failed]).toEqual([['a', 'a', 'b'], ['a']]);
  const recovered = await run({ a: [overloaded, [start, text, finish]] });
  await recovered.answer;
  expect(recovered.failed).toEqual([]);
});

test.each<ErrorKind>(['invalid_request', 'upstream_bad_request', 'upstream_context_length'])(
  "a fallback's %s does not hide the first target's failure, and says nothing of the fallback",
  async (kind) => {
    const overloaded = [failure('upstream_overloaded', { mayRetry: false })];
    const { answer, called, failed } = await run({ a: [overloaded], b: [[failure(kind)]], c: [overloaded] });
    await expect(answer).rejects.toMatchObject({ kind: 'upstream_overloaded' });
    expect([called, failed]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'c'],
    ]);
  },
);

test('an invalid call is asked for once more, then of the next target, and is no sign of bad health', async () => {
  const invalid = [failure('upstream_invalid_call')];
  const ran = await run({ a: [invalid, invalid], b: [[start, text, finish]] });
  await ran.answer;
  expect([ran.called, ran.failed]).toEqual([['a', 'a', 'b'], []]);
});

describe('an modified request', () => {
  const rejected = failure('upstream_bad_request');
  const modify = async (_error: GatewayError, prepared: string) =>
    prepared === 'a' ? 'a, reduced' : undefined;

  test('goes to the same target, as a part of the same attempt', async () => {
    const open = (prepared: string) => emit(prepared === 'a' ? [rejected] : [start, text]);
    const task = taskOf(['a', 'b'], open, { modify });
    const { prepared, attempts } = await runTargets(partsOf(['a', 'b'], []), task, callOf());
    expect([prepared, attempts.map(({ status }) => status)]).toEqual(['a, reduced', ['succeeded']]);
  });

  test('that is rejected as well is the failure', async () => {
    const task = taskOf(['a', 'b'], () => emit([rejected]), { modify });
    await expect(runTargets(partsOf(['a', 'b'], []), task, callOf())).rejects.toBe(rejected);
  });
});

describe('a fallback that cannot do what is asked', () => {
  test('is an error that names its index, and no target is called', async () => {
    const called: string[] = [];
    const open = (id: string) => {
      called.push(id);
      return emit([start, text]);
    };
    const prepare: ModelTask<string, unknown>['prepare'] = ({ model: { id } }) => {
      if (id === 'c') throw failure('invalid_request', { param: 'tools' });
      return id;
    };
    const ids = ['a', 'b', 'c'];
    const answer = runTargets(partsOf(ids, []), taskOf(ids, open, { prepare }), callOf());
    await expect(answer).rejects.toMatchObject({ kind: 'invalid_request', param: 'extra.fallbacks.1' });
    expect(called).toEqual([]);
  });
});

describe('when all targets fail', () => {
  test('with one status, it is the status of the answer', async () => {
    const quota = failure('upstream_quota', { retryAfterMs: 1 });
    const { answer } = await run({ a: [[quota]], b: [[failure('upstream_quota')]] });
    await expect(answer).rejects.toMatchObject({ kind: 'upstream_quota', retryAfterMs: 1 });
  });

  test('with several, the error says that all failed', async () => {
    const { answer } = await run({ a: [[failure('upstream_quota')]], b: [[failure('upstream_timeout')]] });
    await expect(answer).rejects.toMatchObject({
      status: 500,
      type: 'api_error',
      code: 'all_targets_failed',
      message: 'All 2 targets failed: a (quota exhausted), b (timeout).',
    });
  });
});
