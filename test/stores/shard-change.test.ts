/** What a shard receives from its pool, and what it sets aside, also where a transfer comes late. */
import { describe, expect, test } from 'vitest';
import { fits, leftAt, receipt, spending } from '../../lib/stores/limits/shards/shard-change.ts';
import {
  type Lot,
  readShard,
  type Shard,
  type Transfer,
  transferOf,
  transferText,
} from '../../lib/stores/limits/shards/shard-item.ts';

const day = 20_000;
const minute = day * 1_440 + 7;

const lot = (given: Partial<Lot> = {}): Lot => ({
  minute,
  day,
  requests: 3,
  tokens: 30,
  amount: 300,
  isPrepaid: false,
  ...given,
});

const transfer = (given: Partial<Transfer> = {}): Transfer => ({
  ...lot(),
  number: 5,
  tookBack: false,
  ...given,
});

const shardOf = (given: object = {}): Shard =>
  readShard({
    transfer: 4,
    minute,
    day,
    requestsLeft: 1,
    tokensLeft: 10,
    amountLeft: 100,
    isPrepaid: false,
    caps: {},
    ...given,
  });

const aside = { backMinute: minute - 1, backDay: day - 1, backRequests: 1, backTokens: 2, backAmount: 4 };

/** The attributes that a change sets, and those that it adds to. */
function changed({ set = [], add = [], remove = [] }: ReturnType<typeof receipt>) {
  return {
    set: Object.fromEntries(set.map(([path, value]) => [path.join('.'), value])),
    add: Object.fromEntries(add),
    removed: remove.length,
  };
}

describe('a transfer', () => {
  test.each([
    ['the same minute is added to what is left', 0, {}, { requestsLeft: 3, tokensLeft: 30 }],
    [
      'a later minute of the day replaces what was left of the minute',
      1,
      { minute: minute + 1, requestsLeft: 3, tokensLeft: 30 },
      {},
    ],
    ['an earlier minute of the day brings its amount only', -1, {}, {}],
  ])('of %s', (_, later, set, add) => {
    const caps = { monthlyBudget: 9 };
    expect(changed(receipt(shardOf(), transfer({ minute: minute + later }), caps))).toEqual({
      set: { transfer: 5, caps, ...set },
      add: { amountLeft: 300, ...add },
      removed: 0,
    });
  });

  test('that took back what was set aside removes it', () => {
    const change = receipt(shardOf(aside), transfer({ tookBack: true }));
    expect(changed(change).removed).toBe(6);
    expect(change.where).toContainEqual({ path: ['backDay'], exists: true });
    expect(receipt(shardOf(), transfer()).where).toContainEqual({ path: ['backDay'], exists: false });
  });

  test.each([
    ['of another day', { day: day - 1, minute: minute - 1_440 }],
    ['of a scope that had credit', { isPrepaid: true }],
    ['with an amount alone', { day: day - 1, requests: 0, tokens: 0 }],
    ['with requests alone', { day: day - 1, tokens: 0, amount: 0 }],
    ['with tokens alone', { day: day - 1, requests: 0, amount: 0 }],
  ] as [string, Partial<Transfer>][])('%s comes too late, and is set aside for the pool', (_, given) => {
    const late = transfer(given);
    expect(changed(receipt(shardOf(), late))).toEqual({
      set: {
        transfer: 5,
        caps: {},
        backMinute: late.minute,
        backDay: late.day,
        backRequests: late.requests,
        backTokens: late.tokens,
        backAmount: late.amount,
        backPrepaid: late.isPrepaid,
      },
      add: { amountLeft: 0 },
      removed: 0,
    });
  });

  test('that comes too late and has nothing leaves nothing aside', () => {
    const empty = { day: day - 1, requests: 0, tokens: 0, amount: 0 };
    expect(changed(receipt(shardOf(), transfer(empty))).set).toEqual({ transfer: 5, caps: {} });
    const took = changed(receipt(shardOf(aside), transfer({ ...empty, tookBack: true })));
    expect([took.set, took.removed]).toEqual([{ transfer: 5, caps: {} }, 6]);
  });

  test.each([
    [false, true, false],
    [true, true, true],
    [true, false, false],
  ])(
    'that comes too late is joined with what is set aside, in the earlier periods (%s, %s)',
    (...prepaid) => {
      const [isPrepaid, backPrepaid, expected] = prepaid;
      const shard = shardOf({ ...aside, backPrepaid, isPrepaid: !isPrepaid });
      expect(changed(receipt(shard, transfer({ isPrepaid }))).set).toMatchObject({
        backMinute: minute - 1,
        backDay: day - 1,
        backRequests: 4,
        backTokens: 32,
        backAmount: 304,
        backPrepaid: expected,
      });
      const later = shardOf({ ...aside, backMinute: minute + 1, backDay: day + 1, isPrepaid: !isPrepaid });
      expect(changed(receipt(later, transfer({ isPrepaid }))).set).toMatchObject({
        backMinute: minute,
        backDay: day,
      });
    },
  );

  test('is kept by the pool as a short text', () => {
    for (const isPrepaid of [true, false]) {
      for (const tookBack of [true, false]) {
        const sent = transfer({ isPrepaid, tookBack, amount: 9e15 });
        const pool = { stored: { loan7: transferText(sent) } } as unknown as Parameters<typeof transferOf>[0];
        expect(transferOf(pool, 7)).toEqual(sent);
        expect(transferOf(pool, 8)).toMatchObject({ number: 0, tookBack: false, isPrepaid: false });
      }
    }
  });
});

describe('what is left', () => {
  test('has no requests and tokens of an earlier minute', () => {
    expect(leftAt(shardOf(), minute)).toMatchObject({ minute, requests: 1, tokens: 10, amount: 100 });
    expect(leftAt(shardOf(), minute + 1)).toMatchObject({
      minute: minute + 1,
      requests: 0,
      tokens: 0,
      amount: 100,
    });
  });

  const need = { requests: 1, tokens: 10, amount: 100, running: 0 };

  test.each([
    ['all of it', {}, true],
    ['one request more', { requests: 2 }, false],
    ['one token more', { tokens: 11 }, false],
    ['more of the amount', { amount: 101 }, false],
  ])('%s (%o) fits: %s', (_, more, expected) => {
    const limits = { requestsPerMinute: 9, tokensPerMinute: 9, monthlyBudget: 9 };
    expect(fits(shardOf(), minute, limits, { ...need, ...more })).toBe(expected);
    expect(fits(shardOf(), minute, {}, { ...need, ...more })).toBe(true);
  });

  test('is spent under limits that are not lower than those of the lease, and as far as they count it', () => {
    const slot = { name: 's1', mark: 'mark' };
    const limits = { requestsPerMinute: 50, dailyBudget: 70 };
    const { where = [], ...change } = spending(shardOf(), minute, limits, need, slot);
    expect(changed({ ...change, where })).toEqual({
      set: { s1: 'mark' },
      add: { amountLeft: -100, requestsLeft: -1, tokensLeft: -10 },
      removed: 0,
    });
    expect(where).toEqual([
      { path: ['minute'], is: '=', value: minute },
      { path: ['day'], is: '=', value: day },
      { path: ['isPrepaid'], is: '=', value: false },
      { path: ['caps', 'dailyBudget'], is: '<=', value: 70 },
      { path: ['caps', 'requestsPerMinute'], is: '<=', value: 50 },
      { path: ['requestsLeft'], is: '>=', value: 1 },
      { path: ['amountLeft'], is: '>=', value: 100 },
      { path: ['s1'], isNot: 'mark' },
    ]);
    const next = spending(shardOf(), minute + 1, limits, need, slot);
    expect(changed(next)).toEqual({
      set: { s1: 'mark', minute: minute + 1, requestsLeft: -1, tokensLeft: -10 },
      add: { amountLeft: -100 },
      removed: 0,
    });
    expect(next.where).not.toContainEqual({ path: ['requestsLeft'], is: '>=', value: 1 });
  });
});
