/**
 * What the lines of a batch hold and cost, where the process that works on it fails at any of its writes, and everything is repeated:
 * each line is charged once, all of it together is what the limits count, and nothing stays held.
 */
import { expect, test } from 'vitest';
import { notBegun } from '../../lib/core/accounting/interrupted.ts';
import type { LedgerChange } from '../../lib/core/accounting/journal.ts';
import { dayMs, minuteMs } from '../../lib/core/time.ts';
import type { JobMeter } from '../../lib/metering/batches/job-meter.ts';
import { createRandom, type Random } from '../harness/random.ts';
import { hourMs, noon, useBatchJobs } from './batch-jobs.ts';

const jobs = useBatchJobs();
const { state } = jobs;
const budget = 100_000;

/** Does it again and again, as processes do that fail at one of their writes, or at one and all after it. */
async function untilDone<Result>(random: Random, work: (meter: JobMeter) => Promise<Result>) {
  for (let tries = 0; tries < 20; tries += 1) {
    const isKilled = random.chance(0.3);
    let writes = random.between(0, 4);
    const fails = () => {
      writes -= 1;
      if (writes === 0) return random.one(['before', 'after'] as const);
      return isKilled && writes < 0 ? 'before' : undefined;
    };
    const meter = jobs.openMeter(random.chance(0.6) ? fails : undefined);
    const done = await work(meter).then(
      (result) => ({ result }),
      () => undefined,
    );
    if (done) return done.result;
  }
  throw new Error('It fails each time.');
}

/** All changes of the stream in batches of any size, some of them again. */
function delivered(random: Random): readonly (readonly LedgerChange[])[] {
  const batches: (readonly LedgerChange[])[] = [];
  let from = 0;
  while (from < state.changes.length) {
    const to = random.between(from + 1, state.changes.length);
    batches.push(state.changes.slice(from, to));
    if (!random.chance(0.3)) from = to;
  }
  return batches;
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

const seeds = Array.from({ length: 20 }, (_, seed) => seed);

test.each(seeds)(
  'a job that fails anywhere, and is repeated, charges each line once: seed %i',
  async (seed) => {
    const random = createRandom(seed + 1);
    const key = jobs.keyOf({ totalBudget: budget }, { monthlyBudget: budget, dailyBudget: budget });
    const amounts = Array.from({ length: random.between(1, 7) }, () => random.between(0, 5_000));
    const total = sumOf(amounts);
    const job = jobs.jobOf(amounts);
    const { hold, lines } = await untilDone(random, (meter) => meter.reserve(key, job));
    expect(lines).toBe(amounts.length);
    for (const one of hold.record.holds ?? []) expect(one).toMatchObject({ amount: total, inParts: 0 });

    // The job ends on the same day, or on another one than it was reserved on.
    state.time += random.between(1, 20) * hourMs;
    const ended = state.time;
    const answered = amounts.map((amount, line) => ({
      line,
      amount,
      charge: random.chance(0.2) ? undefined : random.between(0, amount),
    }));
    const [first, ...others] = answered;
    const parts = others.filter(({ charge }) => charge !== undefined);
    const inParts = sumOf(parts.map(({ amount }) => amount));
    const write = async (some: typeof parts) => {
      for (const { line, amount, charge = 0 } of [...some, ...some.filter(() => random.chance(0.3))])
        await untilDone(random, (meter) =>
          jobs.writeLine(meter, key, hold, { line, charge, share: { part: amount } }),
        );
    };
    const isLost = random.chance(0.3);
    const read = isLost ? parts.slice(0, random.between(0, parts.length)) : parts;
    await write(read.toSorted(() => random.next() - 0.5));
    if (isLost) {
      state.time = noon + 27 * hourMs;
      await jobs.sweep();
      state.time += 2 * minuteMs;
      await jobs.settle(delivered(random));
      await jobs.freeLeaked(jobs.scopeOfTenant());
      const kept = total - sumOf(read.map(({ amount }) => amount));
      const charged = sumOf(read.map(({ charge = 0 }) => charge));
      // Of what was not read, everything that was held for it counts.
      if (total > 0)
        expect(await jobs.used(jobs.scopeOfTenant())).toMatchObject({
          totalCommitted: charged + kept,
          held: 0,
        });
      // It comes back after all.
      state.time = ended;
      await write(parts);
    }
    const charge = first?.charge;
    await untilDone(random, async (meter) => {
      if (charge === undefined && !isLost) await meter.end(hold, inParts, 'batch_expired');
      else await jobs.writeLine(meter, key, hold, { line: 0, charge: charge ?? 0, share: { inParts } });
    });
    await jobs.settle(delivered(random));

    state.time = noon + 3 * dayMs;
    const charges = sumOf(answered.map((one) => one.charge ?? 0));
    // Of a reservation that was given up, nothing but its end is known.
    const all = (await jobs.records()).filter(({ error }) => error !== notBegun);
    expect(sumOf(all.map((record) => record.charge ?? Number.NaN))).toBe(charges);
    expect(new Set(all.map(({ requestId }) => requestId)).size).toBe(parts.length + 1);
    expect(all.every(({ batch }) => batch === job.batch)).toBe(true);
    if (total === 0) return;
    const held = all.flatMap(({ holds = [] }) => holds.filter(({ kind }) => kind === 'tenant'));
    expect(sumOf(held.map(({ amount, inParts: elsewhere = 0 }) => amount - elsewhere))).toBe(total);
    // What a process has left that was killed before it had a record is free again on the days after.
    for (const scope of [jobs.scopeOfTenant(), jobs.scopeOfKey()]) {
      await jobs.freeLeaked(scope);
      expect(await jobs.used(scope)).toMatchObject({ totalCommitted: charges, held: 0 });
    }
  },
);

test.each([1, 2, 3])('a budget is never passed, however many jobs want it at once (%i)', async (seed) => {
  const random = createRandom(seed);
  const key = jobs.keyOf({ dailyBudget: budget }, { totalBudget: budget / 2, credit: budget });
  const scopes = [jobs.scopeOfKey(), jobs.scopeOfTenant()];
  const within = async () => {
    for (const scope of scopes)
      expect((await jobs.used(scope)).totalCommitted ?? 0).toBeLessThanOrEqual(budget / 2);
  };
  const wanted = Array.from({ length: 12 }, (_, line) => {
    const amounts = Array.from({ length: 20 }, () => random.between(0, 1_000));
    return { amounts, job: jobs.jobOf(amounts, { line, atLeast: 1 }) };
  });
  const reserved = await Promise.all(
    wanted.map(async ({ job, amounts }) => {
      const { hold, lines } = await jobs
        .openMeter()
        .reserve(key, job)
        .catch(() => ({ hold: undefined, lines: 0 }));
      return { hold, lines, amounts };
    }),
  );
  await within();
  let charged = 0;
  for (const { hold, lines, amounts } of reserved) {
    if (!hold) continue;
    expect(hold.record.holds?.map(({ amount }) => amount)).toEqual(
      scopes.map(() => sumOf(amounts.slice(0, lines))),
    );
    const charge = random.between(0, amounts[0] ?? 0);
    charged += charge;
    await jobs.writeLine(jobs.openMeter(), key, hold, { line: 0, charge, share: { inParts: 0 } });
  }
  expect(reserved.some(({ lines }) => lines > 0)).toBe(true);
  await jobs.settle();
  await within();
  for (const scope of scopes)
    expect(await jobs.used(scope)).toMatchObject({ totalCommitted: charged, held: 0 });
});
