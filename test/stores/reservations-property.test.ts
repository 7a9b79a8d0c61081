/** Property test: after any sequence of operations, the counts equal those of a simple reference model. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTable } from '../../infra/local/database.ts';
import type { LimitScope } from '../../lib/core/accounting/limits.ts';
import type { Reservation, ReservationStore } from '../../lib/core/accounting/reservations.ts';
import { createReservationStore } from '../../lib/stores/reservations/reservations.ts';
import { startTestDatabase, type TestDatabase } from './database.ts';

const budget = 1_000;
const limits = { monthlyBudget: budget, concurrentRequests: 6, requestsPerMinute: 8 };
const minuteMs = 60_000;
const lifetimeMs = 16 * minuteMs;

let database: TestDatabase;

beforeAll(async () => {
  database = await startTestDatabase([]);
  await createTable(database.call, 'usage', true);
});

afterAll(() => database.close());

type Step =
  | { readonly do: 'admit'; readonly costs: readonly number[] }
  | { readonly do: 'finalize'; readonly which: readonly number[]; readonly share: number }
  | { readonly do: 'wait'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('admit' as const), costs: costs() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('finalize' as const),
      which: fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 4 }),
      share: fc.nat({ max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1_000, 30_000, minuteMs, 5 * minuteMs, lifetimeMs, 40 * minuteMs, 15 * 86_400_000),
    }),
  },
);

function costs() {
  return fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 4 });
}

/** The reference record of each admitted request. */
interface Entry extends Reservation {
  finalCost?: number;
  /** Whether it expired and was released when another request needed its share: not before its time. */
  givenBack: boolean;
}

const monthOf = (time: number) => new Date(time).toISOString().slice(0, 7);

function createBook() {
  const entries: Entry[] = [];
  const isOpen = (entry: Entry) => entry.finalCost === undefined && !entry.givenBack;
  const sum = (chosen: readonly Entry[]) =>
    chosen.reduce((total, entry) => total + (entry.finalCost ?? (isOpen(entry) ? entry.cost : 0)), 0);
  return {
    entries,
    enter: (reservation: Reservation) => entries.push({ ...reservation, givenBack: false }),
    committed: (time: number) => sum(entries.filter(({ at }) => monthOf(at) === monthOf(time))),
    usedCredit: () => sum(entries),
    running: () => entries.filter(isOpen).length,
    expire(time: number) {
      for (const entry of entries) if (isOpen(entry) && entry.at + lifetimeMs <= time) entry.givenBack = true;
    },
    /** Finalized after its reservation expired: only then may the use exceed the limit. */
    late: (time: number) =>
      sum(entries.filter(({ at, givenBack }) => givenBack && monthOf(at) === monthOf(time))),
  };
}

async function finalizeSome(
  { store, scope, book }: { store: ReservationStore; scope: LimitScope; book: ReturnType<typeof createBook> },
  { which, share }: Step & { do: 'finalize' },
) {
  const chosen = [...new Set(which.flatMap((index) => book.entries[index % book.entries.length] ?? []))];
  await Promise.all(
    chosen.map(async (entry) => {
      const cost = entry.finalCost ?? Math.floor((entry.cost * share) / 4);
      const isNew = await store.finalize(scope, entry, { requests: 1, tokens: 0, cost });
      if (isNew) {
        expect(entry.finalCost).toBeUndefined();
        entry.finalCost = cost;
      } else {
        // Already finalized, or its reservation has expired.
        expect(entry.finalCost !== undefined || entry.givenBack).toBe(true);
      }
    }),
  );
}

test('spent and reserved amounts are exact to the nano-dollar and never exceed the budget', async () => {
  let admitted = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      let time = Date.UTC(2026, 9, 20, 23, 59, 0);
      const scope: LimitScope = { kind: 'key', id: randomUUID() };
      const store = createReservationStore({
        call: database.call,
        table: 'usage',
        now: () => time,
        timeoutMs: 30_000,
      });
      const book = createBook();
      for (const taken of steps) {
        if (taken.do === 'wait') time += taken.ms;
        if (taken.do === 'finalize') await finalizeSome({ store, scope, book }, taken);
        if (taken.do === 'admit') {
          const asked = taken.costs.map((cost) => ({
            id: randomUUID(),
            at: time,
            tokens: 0,
            cost,
            isPrepaid: true,
          }));
          const admissions = await Promise.all(asked.map((one) => store.reserve(scope, limits, one)));
          for (const [index, { refusedBy }] of admissions.entries()) {
            const reservation = asked[index];
            if (reservation && refusedBy === undefined) book.enter(reservation);
          }
          const passed = admissions.filter(({ refusedBy }) => refusedBy === undefined).length;
          admitted += passed;
          refused += admissions.length - passed;
        }
        const usage = await store.read(scope);
        if (!usage) continue;
        // Reading the counts ignores expired reservations, as the next admission does.
        book.expire(time);
        const { committed, usedCredit, running, requests } = usage;
        expect({ committed, usedCredit, running }).toEqual({
          committed: book.committed(time),
          usedCredit: book.usedCredit(),
          running: book.running(),
        });
        expect(committed - book.late(time)).toBeLessThanOrEqual(budget);
        expect(running).toBeLessThanOrEqual(limits.concurrentRequests);
        expect(requests).toBeLessThanOrEqual(limits.requestsPerMinute);
      }
    }),
    { numRuns: 50 },
  );
  expect(admitted).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(100);
}, 120_000);
