/** What becomes of a batch: by what its lines are, what its provider does with them, and what happens to it meanwhile. */
import { expect, test } from 'vitest';
import type { NewBatch } from '../../lib/core/batches.ts';
import { createWorld, lineOf, startedAt, type WorldOptions } from './world.ts';

const hour = 3_600_000;

const linesOf = (model: string, count: number) =>
  Array.from({ length: count }, (_, n) => lineOf(`${model}-${n}`, model));

async function run(
  lines: readonly string[],
  options: WorldOptions = {},
  changes: Partial<NewBatch> = {},
  onStep: (world: ReturnType<typeof createWorld>, step: number) => void = () => {},
) {
  const world = createWorld(options);
  const batch = await world.create(lines, changes);
  await world.workOn(batch, undefined, (step) => onStep(world, step));
  const ended = world.find(batch.id);
  expect(world.held.size).toBe(0);
  return {
    world,
    batch: ended,
    output: await world.readFile(ended?.outputFile),
    errors: await world.readFile(ended?.errorFile),
  };
}

const codesOf = (lines: readonly { readonly error: { readonly code: string } | null }[]) =>
  lines.map(({ error }) => error?.code);

test('a file that is not as it must be fails as a whole, with the first hundred of its problems', async () => {
  const { batch, world } = await run(['no JSON', lineOf('a', 'one'), lineOf('a', 'one'), '{}']);
  expect(batch).toMatchObject({ status: 'failed', jobs: 0, counts: { total: 0 } });
  expect(batch?.problems).toEqual([
    { code: 'invalid_json_line', message: expect.any(String), line: 1 },
    { code: 'duplicate_custom_id', message: expect.any(String), param: 'custom_id', line: 3 },
    { code: 'missing_required_parameter', message: expect.any(String), param: 'custom_id', line: 4 },
  ]);
  expect(world.upstream.size).toBe(0);
  const many = await run(Array.from({ length: 200 }, () => '[]'));
  expect(many.batch?.problems).toHaveLength(100);
  const empty = await run(['', '  ', '\r']);
  expect(empty.batch?.problems).toEqual([{ code: 'empty_file', message: expect.any(String) }]);
});

test('where all lines fail there is no file of answers, and where none does none of errors', async () => {
  const failing = await run(linesOf('one', 3), {
    answersOf: (id) => ({ id, status: 400, body: '{"error":{}}' }),
  });
  expect(failing.batch).toMatchObject({ status: 'completed', counts: { completed: 0, failed: 3 } });
  expect(failing.batch?.outputFile).toBeUndefined();
  expect(failing.errors.map(({ response }) => response?.status_code)).toEqual([400, 400, 400]);
  const good = await run(linesOf('one', 3));
  expect(good.batch?.errorFile).toBeUndefined();
  expect(good.output).toHaveLength(3);
});

test('a line that its provider does not answer is an error, and an unknown one is nobody’s', async () => {
  const { output, errors } = await run(linesOf('one', 3), {
    answersOf: (id) =>
      id.endsWith('_1') ? undefined : { id: id.endsWith('_0') ? 'x' : id, status: 200, body: '{}' },
  });
  expect(output.map(({ custom_id: id }) => id)).toEqual(['one-2']);
  expect(codesOf(errors)).toEqual(['provider_no_answer', 'provider_no_answer']);
});

test('what expires is cancelled by the gateway, and what was answered by then is kept', async () => {
  const { batch, output, errors } = await run([...linesOf('one', 2), ...linesOf('live', 1)], {
    jobMs: 48 * hour,
  });
  expect(batch).toMatchObject({ status: 'expired', counts: { completed: 1, expired: 2 } });
  expect(output.map(({ custom_id: id }) => id)).toEqual(['live-0']);
  expect(codesOf(errors)).toEqual(['batch_expired', 'batch_expired']);
});

test('answers that can never be read do not keep a batch open, and what was read of them stays billed', async () => {
  const { batch, errors, world } = await run(linesOf('one', 3), {
    answersOf: (id) => {
      if (id.endsWith('_1')) throw new Error('The results cannot be read.');
      return { id, status: 200, body: '{}' };
    },
  });
  expect(batch).toMatchObject({ status: 'expired', counts: { completed: 0, expired: 3 } });
  expect(codesOf(errors)).toEqual(Array(3).fill('batch_expired'));
  expect([...world.ledger.values()].filter(({ charge }) => charge === 1)).toHaveLength(1);
});

test('a caller whose limits leave room for a part of the lines has them answered in turn', async () => {
  const { batch, output, world } = await run(linesOf('one', 5), { granted: (held) => (held > 0 ? 0 : 2) });
  expect(batch).toMatchObject({ status: 'completed', counts: { total: 5, completed: 5 } });
  expect(output).toHaveLength(5);
  expect([...world.upstream.values()].map(({ lines }) => lines.length)).toEqual([2, 2, 1]);
});

test('what is reserved is within the limits of then, and not those of the creation', async () => {
  const { world } = await run(
    linesOf('one', 4),
    { granted: (held) => (held > 0 ? 0 : 2) },
    {},
    (each, step) => {
      if (step === 1) each.setBudget(7);
    },
  );
  expect([world.budgets[0], world.budgets.at(-1)]).toEqual([undefined, 7]);
});

test('lines that nothing is left for are errors', async () => {
  const { batch, errors } = await run(linesOf('one', 2), { granted: () => 0 });
  expect(batch?.counts).toMatchObject({ completed: 0, failed: 2 });
  expect(codesOf(errors)).toEqual(['insufficient_quota', 'insufficient_quota']);
});

test('what was not sent fails with its key or its model, and what was sent is answered', async () => {
  const disabled = await run([...linesOf('one', 2), ...linesOf('live', 2)], {}, {}, (world, step) => {
    if (step === 0) world.disableKey();
  });
  expect(codesOf(disabled.errors)).toEqual(Array(4).fill('invalid_api_key'));
  const unstored = await run([...linesOf('one', 2), ...linesOf('live', 2)], {}, {}, (world, step) => {
    if (step === 0) world.storeNothing();
  });
  expect(codesOf(unstored.errors)).toEqual(Array(4).fill('data_policy'));
  const later = await run(linesOf('one', 2), {}, {}, (world, step) => {
    if (step === 1) world.disableKey();
  });
  expect(later.output).toHaveLength(2);
  const ended = await run(linesOf('one', 2), {}, {}, (world, step) => {
    if (step === 0) world.endModel();
  });
  expect(codesOf(ended.errors)).toEqual(['model_not_found', 'model_not_found']);
  const narrowed = await run([...linesOf('one', 1), ...linesOf('two', 1)], {}, {}, (world, step) => {
    if (step === 0) world.allowModels(['two']);
  });
  const barred = await run(linesOf('one', 2), {}, {}, (world, step) => {
    if (step === 0) world.bar();
  });
  expect(codesOf(barred.errors)).toEqual(['data_policy', 'data_policy']);
  expect(codesOf(narrowed.errors)).toEqual(['model_not_allowed']);
  expect(narrowed.output).toHaveLength(1);
});

test('no single request begins any more soon after its key is disabled', async () => {
  const world = createWorld({
    isTimeless: true,
    liveStatus: (sent) => {
      if (sent > 2) world.disableKey();
      return 200;
    },
  });
  const batch = await world.create(linesOf('live', 60));
  await world.workOn(batch);
  const errors = await world.readFile(world.find(batch.id)?.errorFile);
  expect(new Set(codesOf(errors))).toEqual(new Set(['invalid_api_key']));
  expect(errors.length).toBeGreaterThan(40);
});

test('a batch that is cancelled before its plan has no files; twice is once', async () => {
  const { batch, world } = await run(linesOf('one', 2), {}, {}, (each, step) => {
    if (step === 0) each.change('batch_1', { status: 'cancelling' });
  });
  expect(batch).toMatchObject({ status: 'cancelled' });
  expect(world.files.size).toBe(0);
  const twice = await run(linesOf('one', 2), { jobMs: hour }, {}, (each, step) => {
    if (step === 1 || step === 2) each.change('batch_1', { status: 'cancelling' });
  });
  expect(twice.batch).toMatchObject({ status: 'cancelled', counts: { cancelled: 2 } });
  expect(codesOf(twice.errors)).toEqual(['batch_cancelled', 'batch_cancelled']);
});

test('lines that are too few for their provider are answered as single requests, or refused', async () => {
  const limits = { minLines: 3 };
  const live = await run(linesOf('one', 2), { limits });
  expect(live.batch).toMatchObject({ counts: { completed: 2 }, plan: [{ by: 'live', lines: 2 }] });
  expect(live.world.sentLive).toHaveLength(2);
  const refused = await run(linesOf('one', 2), { limits }, { mode: 'native' });
  expect(refused.errors.map(({ response }) => response?.body)).toMatchObject(
    Array(2).fill({ error: { code: 'batch_not_supported', param: 'model' } }),
  );
  const enough = await run(linesOf('one', 10_002), { limits });
  expect(enough.world.jobs('batch_1').map(({ lines }) => lines)).toEqual([10_002]);
});

test('a plan alone sends nothing and keeps nothing', async () => {
  const { batch, world } = await run([...linesOf('one', 2), ...linesOf('bad', 1)], {}, { dryRun: true });
  expect(batch).toMatchObject({
    status: 'completed',
    counts: { total: 3, completed: 0 },
    plan: [{ model: 'one', provider: 'provider', lines: 2, by: 'native', priceFactor: 0.5 }],
  });
  expect([...world.stored.keys()]).toEqual(['input']);
});

test('what a provider has of a job is removed in another attempt, where the first ones fail', async () => {
  const removed = await run(linesOf('one', 2), { failedRemovals: 3 });
  expect(removed.batch).toMatchObject({ status: 'completed', counts: { completed: 2 } });
  expect([...removed.world.uploads.values()]).toEqual(['removed']);
  const left = await run(linesOf('one', 2), { failedRemovals: Number.POSITIVE_INFINITY });
  expect(left.batch).toMatchObject({ status: 'completed', counts: { completed: 2 } });
});

test('lines are divided where a provider takes no more of them', async () => {
  const { batch, world, output } = await run(linesOf('one', 7), { limits: { lines: 3 } });
  expect(world.jobs('batch_1').map(({ lines }) => lines)).toEqual([3, 3, 1]);
  expect(batch?.plan).toMatchObject([{ lines: 7 }]);
  expect(output).toHaveLength(7);
});

test('texts to embed are divided where a provider takes no more of them in a job', async () => {
  const body = { model: 'one', input: ['a', 'b', 'c'] };
  const lines = [0, 1, 2].map((n) =>
    JSON.stringify({ custom_id: `${n}`, method: 'POST', url: '/v1/embeddings', body }),
  );
  const { world } = await run(lines, { limits: { inputs: 7 } }, { operation: 'embeddings' });
  expect(world.jobs('batch_1').map((job) => job.lines)).toEqual([2, 1]);
});

test('single requests that are refused for their rate are sent again, more slowly', async () => {
  const refusedOnce = await run(linesOf('live', 40), { liveStatus: (sent) => (sent < 20 ? 429 : 200) });
  expect(refusedOnce.batch).toMatchObject({ counts: { completed: 40, failed: 0 } });
  expect(refusedOnce.world.sentLive.length).toBeLessThanOrEqual(60);
  const failing = await run(linesOf('live', 3), { liveStatus: () => 500 });
  expect(failing.batch).toMatchObject({ counts: { completed: 0, failed: 3 } });
  expect(failing.world.sentLive).toHaveLength(12);
});

test('a worker whose host ends leaves the lines that it has not begun to the next one', async () => {
  const { batch, output } = await run(linesOf('live', 30), {
    hostMs: 200_000,
    liveStatus: (sent) => (sent % 3 === 0 ? 429 : 200),
  });
  expect(batch).toMatchObject({ status: 'completed', counts: { completed: 30 } });
  expect(new Set(output.map(({ custom_id: id }) => id)).size).toBe(30);
});

test('results that come slowly are joined, so that no row names too many parts', async () => {
  const { batch, output, world } = await run(linesOf('live', 200), {
    liveStatus: (sent) => (sent % 2 === 0 ? 429 : 200),
  });
  expect(batch?.counts.completed).toBe(200);
  expect(new Set(output.map(({ custom_id: id }) => id)).size).toBe(200);
  expect(world.jobs('batch_1')[0]?.parts.output?.length).toBeLessThan(40);
});

test('a cancelled batch is not open for good where its provider never ends the job', async () => {
  const { batch, errors } = await run(
    linesOf('one', 2),
    { jobMs: Number.POSITIVE_INFINITY, isDeaf: true },
    { expiresAt: startedAt / 1_000 + 3_600 },
    (world, step) => {
      if (step === 1) world.change('batch_1', { status: 'cancelling' });
    },
  );
  expect(batch).toMatchObject({ status: 'cancelled', counts: { cancelled: 2 } });
  expect(codesOf(errors)).toEqual(['batch_cancelled', 'batch_cancelled']);
});
