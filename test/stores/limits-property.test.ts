import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Hold, LimitStore, Settlement } from '../../lib/core/accounting/limits.ts';
import { type AwsCall, AwsError } from '../../lib/core/ports/aws.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { monthOf, weekOf } from '../../lib/stores/limits/periods.ts';
import { useTestDatabase } from './database.ts';
import { newScope, wantedAt } from './limit-items.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const database = useTestDatabase('usage');

/** What happens to the write with this number of an operation: it fails, its answer is lost, or its process ends after it. */
interface Fault {
  readonly write: number;
  readonly kind: 'fails' | 'lost' | 'crash';
}

type Step =
  | {
      readonly do: 'admit';
      readonly process: number;
      readonly shards: number;
      readonly amounts: readonly number[];
      readonly fault?: Fault | undefined;
    }
  | { readonly do: 'end'; readonly which: readonly number[]; readonly share: number }
  | {
      readonly do: 'settle';
      readonly stream: number;
      readonly back: number;
      readonly on: number;
      readonly fault?: Fault | undefined;
    }
  | { readonly do: 'cancel'; readonly which: number; readonly fault?: Fault | undefined }
  | { readonly do: 'lose'; readonly which: number }
  | { readonly do: 'free'; readonly process: number; readonly fault?: Fault | undefined }
  | { readonly do: 'raise'; readonly by: number }
  | { readonly do: 'wait'; readonly ms: number };

const fault: fc.Arbitrary<Fault | undefined> = fc.option(
  fc.record({
    write: fc.nat({ max: 5 }),
    kind: fc.constantFrom('fails' as const, 'lost' as const, 'crash' as const),
  }),
  { nil: undefined, freq: 2 },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('admit' as const),
      process: fc.nat({ max: 2 }),
      shards: fc.constantFrom(0, 2, 2, 3, 5),
      amounts: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
      fault,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      which: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 5 }),
      share: fc.nat({ max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      stream: fc.nat({ max: 1 }),
      back: fc.nat({ max: 3 }),
      on: fc.nat({ max: 5 }),
      fault,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat({ max: 40 }), fault }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('lose' as const), which: fc.nat({ max: 40 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('free' as const), process: fc.nat({ max: 2 }), fault }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('raise' as const), by: fc.integer({ min: 1, max: 100 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1_000, 30_000, minuteMs, 7 * minuteMs, 5 * hourMs, 24 * hourMs),
    }),
  },
);

/** What the test knows of a request that was admitted. */
interface Entry {
  readonly hold: Hold;
  /** What it used, once it has ended. */
  used?: number;
  /** Its process ended before it wrote a record. It may be restored from the log. */
  isLost?: true;
}

/** One run: a scope, its processes, and a reference record of all that was admitted. */
function createWorld(skews: readonly number[]) {
  let time = Date.UTC(2026, 10, 27, 22, 58, 30);
  let limits: Limits = { totalBudget: 900, dailyBudget: 600, requestsPerMinute: 60, credit: 2_000 };
  const scope = newScope();
  const entries: Entry[] = [];
  const streams: [Settlement[], Settlement[]] = [[], []];
  const done = [0, 0];
  /** What crashes and lost answers may have held without a record. */
  let ghosts = 0;
  /** Whether a clock that is behind has brought it back: what is admitted in minutes that were freed stays held, until it is freed. */
  let isBroughtBack = false;
  /** Whether so much was unsettled for so long that nothing proves what has leaked. */
  let isKept = false;
  /** How often something was freed, and all was as the record has it. */
  const found = { freed: 0, exact: 0 };
  let pending: { fault: Fault | undefined; writes: number } = { fault: undefined, writes: 0 };

  const call: AwsCall = async (action, input, options) => {
    const { fault: planned } = pending;
    const isWrite = action.endsWith('UpdateItem');
    if (planned?.kind === 'crash' && pending.writes > planned.write)
      throw new Error('The process has ended.');
    const isHit = isWrite && planned?.write === pending.writes;
    if (isWrite) pending.writes += 1;
    if (isHit && planned.kind === 'fails') throw new AwsError('InternalServerError', 'failed', 500);
    const answer = await database.call(action, input, options);
    if (isHit && planned.kind === 'lost') throw new AwsError('InternalServerError', 'lost', 500);
    return answer;
  };
  const open = (process: number): LimitStore =>
    createLimitStore({
      call,
      table: 'usage',
      now: () => time + (skews[process] ?? 0),
      timeoutMs: 30_000,
      onRebased() {
        isBroughtBack = true;
      },
    });
  const stores = skews.map((_, process) => open(process));
  const steady = () => stores[0] ?? open(0);

  /** Runs an operation with a fault; a process that ended starts again and remembers nothing. */
  async function withFault<T>(
    process: number,
    planned: Fault | undefined,
    run: (store: LimitStore) => Promise<T>,
  ) {
    pending = { fault: planned, writes: 0 };
    try {
      return await run(stores[process] ?? steady());
    } finally {
      pending = { fault: undefined, writes: 0 };
      if (planned?.kind === 'crash') stores[process] = open(process);
    }
  }

  const wantedOf = (amount: number) => wantedAt(time, amount);

  const recorded = (of: readonly Entry[]) => of.filter(({ isLost }) => !isLost);
  const running = () => recorded(entries).filter(({ used }) => used === undefined);

  function note(hold: Hold | undefined) {
    if (hold) entries.push({ hold });
    check();
  }

  const sum = (of: readonly Entry[]) =>
    recorded(of).reduce((total, { hold, used }) => total + (used ?? hold.amount), 0);

  /** No limit is ever exceeded. */
  function check() {
    expect(sum(entries)).toBeLessThanOrEqual(limits.totalBudget ?? 0);
    for (const of of Map.groupBy(entries, ({ hold }) => hold.day).values()) {
      expect(sum(of)).toBeLessThanOrEqual(limits.dailyBudget ?? 0);
    }
    for (const of of Map.groupBy(entries, ({ hold }) => hold.minute).values()) {
      expect(of.length).toBeLessThanOrEqual(limits.requestsPerMinute ?? 0);
    }
  }

  async function admit({ process, shards, amounts, fault: planned }: Step & { do: 'admit' }) {
    // What one write of several at once does is not known: a fault is for one.
    const asked = planned ? amounts.slice(0, 1) : amounts;
    const outcomes = await withFault(process, planned, (store) =>
      Promise.allSettled(asked.map((amount) => store.reserve(scope, limits, wantedOf(amount), { shards }))),
    );
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') note(outcome.value.hold);
      else {
        expect(planned).toBeDefined();
        ghosts += asked[index] ?? 0;
      }
    }
  }

  function end({ which, share }: Step & { do: 'end' }) {
    const open = running();
    for (const index of new Set(which)) {
      const entry = open[index % open.length];
      if (!entry || entry.used !== undefined) continue;
      entry.used = Math.floor((entry.hold.amount * share) / 4);
      const stream = streams[entry.hold.amount % 2] ?? streams[0];
      const sequence = `${stream.length + 1}`;
      stream.push({
        hold: entry.hold,
        tokens: 0,
        amount: entry.used - entry.hold.amount,
        isEnd: true,
        sequence,
      });
    }
  }

  /** A batch that may begin before what was settled already. It comes again until it has succeeded. */
  async function settle({ stream, back, on, fault: planned }: Omit<Step & { do: 'settle' }, 'do'>) {
    const from = Math.max(0, (done[stream] ?? 0) - back);
    const to = Math.min(streams[stream]?.length ?? 0, (done[stream] ?? 0) + on);
    const batch = streams[stream]?.slice(from, to) ?? [];
    const settled = await withFault(1, planned, (store) => store.settle(`shard-${stream}`, batch)).then(
      () => true,
      () => false,
    );
    if (settled) done[stream] = to;
    else expect(planned).toBeDefined();
  }

  async function cancel({ which, fault: planned }: Step & { do: 'cancel' }) {
    const entry = running()[which % running().length];
    if (!entry) return;
    const cancelled = await withFault(0, planned, (store) => store.cancel(entry.hold)).then(
      () => true,
      () => false,
    );
    entries.splice(entries.indexOf(entry), 1);
    if (!cancelled) ghosts += entry.hold.amount;
  }

  function lose({ which }: Step & { do: 'lose' }) {
    const entry = running()[which % running().length];
    if (!entry) return;
    entry.isLost = true;
    ghosts += entry.hold.amount;
  }

  async function free({ process, fault: planned }: Omit<Step & { do: 'free' }, 'do'>) {
    const count = async ({ from, to }: { from: number; to: number }) =>
      recorded(entries).filter(({ hold: { day } }) => day >= from && day <= to).length;
    const freed = await withFault(process, planned, (store) => store.freeLeaked(scope, count, true)).catch(
      (error) => {
        if (!planned) throw error;
      },
    );
    isKept ||= freed?.state === 'kept';
    if (freed?.state === 'freed') found.freed += 1;
    await compare();
    return freed?.state;
  }

  const steps: { readonly [Name in Step['do']]: (taken: Step & { do: Name }) => unknown } = {
    admit,
    end,
    settle,
    cancel,
    lose,
    free,
    raise: ({ by }) => {
      limits = {
        ...limits,
        totalBudget: (limits.totalBudget ?? 0) + by,
        dailyBudget: (limits.dailyBudget ?? 0) + by,
      };
    },
    wait: ({ ms }) => {
      time += ms;
    },
  };

  /** The counts are those of the record, with at most what a crash has left without one. */
  async function compare() {
    const usage = await steady().read(scope);
    if (!usage) return;
    const day = Math.floor((usage.minuteEnds - 1) / 86_400_000);
    const unsettled = streams.flatMap((stream, index) => stream.slice(done[index]));
    const held = unsettled.reduce((total, { amount }) => total - amount, 0);
    const heldAgain = isBroughtBack ? entries.reduce((total, { hold }) => total + hold.amount, 0) : 0;
    const expected = {
      totalCommitted: sum(entries),
      usedCredit: sum(entries),
      dayCommitted: sum(entries.filter(({ hold }) => hold.day === day)),
      weekCommitted: sum(entries.filter(({ hold }) => weekOf(hold.day) === weekOf(day))),
      committed: sum(entries.filter(({ hold }) => monthOf(hold.day) === monthOf(day))),
    };
    for (const [name, amount] of Object.entries(expected)) {
      const counted = usage[name as keyof typeof expected];
      expect(counted, name).toBeGreaterThanOrEqual(amount);
      expect(counted, name).toBeLessThanOrEqual(amount + held + ghosts + heldAgain);
    }
  }

  async function compareExactly() {
    const usage = await steady().read(scope);
    if (!usage) return;
    const { totalCommitted, usedCredit, held } = usage;
    const used = sum(entries);
    expect({ totalCommitted, usedCredit, held }).toEqual({ totalCommitted: used, usedCredit: used, held: 0 });
    found.exact += 1;
  }

  /** What seemed lost gets its record in the end, after all was freed. */
  async function restore() {
    for (const entry of entries) delete entry.isLost;
    while (running().length > 0) end({ do: 'end', which: [0], share: 3 });
    for (const stream of [0, 1]) await settle({ stream, back: 3, on: 1_000 });
  }

  return {
    entries,
    found,
    async take(taken: Step) {
      await (steps[taken.do] as (step: Step) => unknown)(taken);
    },
    compare,
    /** Everything ends and is settled; then all that is left can be spent, to the last nano-dollar. */
    async drain(shards: number) {
      end({ do: 'end', which: entries.map((_, index) => index), share: 2 });
      while (running().length > 0) end({ do: 'end', which: [0], share: 2 });
      for (const stream of [0, 1]) await settle({ stream, back: 3, on: 1_000 });
      time += 26 * hourMs;
      await compare();
      const state = await free({ process: 0 });
      if (!isKept) {
        expect(['freed', 'none']).toContain(state);
        await compareExactly();
      }
      await restore();
      if (!isKept) await compareExactly();
      const { totalCommitted = 0, dayCommitted = 0 } = (await steady().read(scope)) ?? {};
      const left = Math.min(
        (limits.totalBudget ?? 0) - totalCommitted,
        (limits.dailyBudget ?? 0) - dayCommitted,
      );
      const over = await steady().reserve(scope, limits, wantedOf(left + 1), { shards });
      expect(over.hold).toBeUndefined();
      const last = await steady().reserve(scope, limits, wantedOf(left), { shards });
      expect(last.refusedBy).toBeUndefined();
      note(last.hold);
      await compare();
    },
  };
}

/** What was admitted is lost, a clock two hours behind brings the pool back, and it is not freed before its time. */
const broughtBack: Step[] = [
  { do: 'admit', process: 0, shards: 0, amounts: [1] },
  { do: 'lose', which: 0 },
  { do: 'admit', process: 2, shards: 2, amounts: [1], fault: { write: 1, kind: 'fails' } },
  { do: 'free', process: 0 },
  { do: 'admit', process: 0, shards: 0, amounts: [1] },
];

test('nothing is admitted beyond a limit, nothing stays lost, and nothing that is owed is freed', async () => {
  let admitted = 0;
  let sharded = 0;
  const found = { freed: 0, exact: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40 }),
      fc.tuple(fc.constant(0), fc.constantFrom(-90_000, 0, 2_000), fc.constantFrom(0, 61_000, -2 * hourMs)),
      fc.constantFrom(0, 2, 5),
      async (steps, skews, shards) => {
        const world = createWorld(skews);
        for (const taken of steps) await world.take(taken);
        await world.compare();
        await world.drain(shards);
        found.freed += world.found.freed;
        found.exact += world.found.exact;
        admitted += world.entries.length;
        sharded += world.entries.filter(({ hold }) => hold.shard !== undefined).length;
      },
    ),
    {
      numRuns: Number(process.env.GATEWAY_LIMIT_RUNS ?? 25),
      examples: [[broughtBack, [0, 0, -2 * hourMs], 0]],
    },
  );
  // That there was something to compare: about 280, 150, 15 and 75 of the steps that chance has chosen.
  expect(admitted).toBeGreaterThan(50);
  expect(sharded).toBeGreaterThan(20);
  expect(found.freed).toBeGreaterThan(0);
  expect(found.exact).toBeGreaterThan(10);
}, 600_000);
