/** A batch whose process ends at any of its effects, done or not: each line has one result and one bill, and no job is sent twice. */
import { expect, test } from 'vitest';
import { createWorld, type Fault, lineOf, type World } from './world.ts';

const lines = [
  lineOf('a', 'one'),
  lineOf('b', 'two'),
  lineOf('c', 'one'),
  lineOf('d', 'live'),
  lineOf('e', 'bad'),
  lineOf('f', 'one'),
];

async function runWith(fault?: Fault, changes: (world: World, step: number) => void = () => {}) {
  const world = createWorld();
  const batch = await world.create(lines);
  const effects = await world.workOn(batch, fault, (step) => changes(world, step));
  return { world, effects, batch: world.find(batch.id) };
}

async function check(world: World, about: string) {
  const batch = world.find('batch_1');
  const results = [...(await world.readFile(batch?.outputFile)), ...(await world.readFile(batch?.errorFile))];
  expect(results.map(({ custom_id: id }) => id).toSorted(), about).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(batch?.counts.total, about).toBe(6);
  expect(world.held.size, about).toBe(0);
  expect(world.open.size, about).toBe(0);
  // A line may be in several jobs of which all but one were cancelled in time.
  const paid = [...world.upstream.values()]
    .filter(({ state }) => state !== 'cancelled')
    .flatMap((job) => job.lines);
  expect(new Set(paid).size, about).toBe(paid.length);
  const billed = [...world.ledger.values()].filter(({ charge }) => charge === 1);
  expect(new Set(billed.map(({ session }) => session)).size, about).toBe(billed.length);
  expect(batch?.use?.charge, about).toBe(billed.length);
  return { batch, results, billed };
}

test('without a fault, all that can be answered is', async () => {
  const { world, effects } = await runWith();
  const { batch, billed } = await check(world, 'healthy');
  expect(batch).toMatchObject({
    status: 'completed',
    counts: { total: 6, completed: 5, failed: 1 },
    use: { charge: 5 },
  });
  expect(billed).toHaveLength(5);
  expect(world.upstream.size).toBe(2);
  expect(effects.length).toBeGreaterThan(20);
  // Nothing is kept but the input and the results.
  const kept = [...world.stored.keys()].filter((name) => !/input|output|errors/.test(name));
  expect(kept).toEqual([]);
});

test.for([
  ['a process that ends', 'before', false],
  ['a process that ends', 'after', false],
  ['a call that fails', 'before', true],
  ['a call that fails', 'after', true],
] as const)('%s %s any of its effects is made good', async ([_, when, survives]) => {
  const { effects } = await runWith();
  for (const at of effects.keys()) {
    const about = `${when} ${at} ${effects[at]}`;
    const { world } = await runWith({ at, when, survives });
    const { batch, billed } = await check(world, about);
    expect(batch?.counts.completed, about).toBe(5);
    expect(billed.length, about).toBe(5);
    expect(world.opened.size, about).toBe(0);
    expect(world.upstream.size, about).toBe(2);
  }
});

test.for(['before', 'after'] as const)(
  'no file stays at a provider whose answer to a submission was lost %s it was done',
  async (when) => {
    const { effects } = await runWith();
    const { world } = await runWith({ at: effects.indexOf('submit'), when, survives: true });
    await check(world, when);
    expect(new Set(world.uploads.values())).toEqual(new Set(['removed']));
  },
);

test.for(['before', 'after'] as const)(
  'a batch that is cancelled is ended by whoever goes on, also %s a fault',
  async (when) => {
    const cancel = (world: World, step: number) => {
      if (step === 1) world.change('batch_1', { status: 'cancelling' });
    };
    const { effects } = await runWith(undefined, cancel);
    for (const at of effects.keys()) {
      const about = `${when} ${at} ${effects[at]}`;
      const { world } = await runWith({ at, when }, cancel);
      const batch = world.find('batch_1');
      expect(batch?.status, about).toBe('cancelled');
      if (batch?.jobs) await check(world, about);
      expect(world.held.size, about).toBe(0);
    }
  },
);
