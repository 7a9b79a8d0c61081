/** What a change of the ledger settles in limits. */
import { expect, test } from 'vitest';
import type { LedgerChange } from '../../lib/core/accounting/journal.ts';
import type { Hold } from '../../lib/core/accounting/limits.ts';
import { settlementsOf } from '../../lib/metering/aggregate/settlements.ts';
import { testRecord } from '../harness/ledger.ts';

const hold = (changes: Partial<Hold> = {}): Hold => ({
  kind: 'key',
  id: 'key_1',
  minute: 1,
  day: 2,
  tokens: 1_000,
  amount: 10_000,
  running: 0,
  ...changes,
});
const tenantHold = hold({ kind: 'tenant', id: 'acme' });
/** 150 tokens. */
const record = (holds: readonly Hold[], cost: number | null = 1_500) => ({ ...testRecord({ cost }), holds });

const change = (parts: Pick<LedgerChange, 'before' | 'after'>): LedgerChange => ({
  sequence: '7',
  at: 0,
  ...parts,
});
const settled = (parts: Pick<LedgerChange, 'before' | 'after'>) =>
  settlementsOf([change(parts)]).map(({ hold: { kind }, tokens, amount, isEnd }) => [
    kind,
    tokens,
    amount,
    isEnd,
  ]);

const open = (holds: readonly Hold[]) => ({ state: 'open' as const, record: record(holds) });
const done = (holds: readonly Hold[], cost?: number | null) => ({
  state: 'done' as const,
  record: record(holds, cost),
});

test('an open record settles nothing, nor does its removal', () => {
  expect(settled({ after: open([hold()]) })).toEqual([]);
  expect(settled({ before: open([hold()]) })).toEqual([]);
  expect(settled({ before: done([hold()]) })).toEqual([]);
});

test.each([
  ['with an open record before', { before: open([hold(), tenantHold]) }],
  ['without', {}],
])('a final record settles each scope with what the request came to, %s', (_name, before) => {
  expect(settled({ ...before, after: done([hold(), tenantHold]) })).toEqual([
    ['key', -850, -8_500, true],
    ['tenant', -850, -8_500, true],
  ]);
});

test('an estimate that may be too low gives nothing back', () => {
  const { attempts, ...rest } = record([hold()]);
  const floor = { ...rest, attempts: attempts.map((one) => ({ ...one, isFloor: true as const })) };
  expect(settled({ after: { state: 'done', record: floor } })).toEqual([['key', 0, 0, true]]);
});

test('further attempts have holds of their own, and the request counts once', () => {
  const further = hold({ tokens: 500, amount: 3_000, isFurther: true });
  expect(settled({ after: done([hold(), further]) })).toEqual([
    ['key', -850, -8_500, true],
    ['key', -500, -3_000, true],
  ]);
});

test('a charge that is not known settles with what is held', () => {
  const further = hold({ tokens: 500, amount: 3_000, isFurther: true });
  const changes = settled({ after: done([hold(), further], null) });
  expect(changes).toEqual([
    ['key', 500, 3_000, true],
    ['key', -500, -3_000, true],
  ]);
});

test('a budget that includes own keys settles with their list price, and others without', () => {
  const included = hold({ includesOwnKeys: true });
  const { attempts, ...rest } = record([included, tenantHold], 0);
  const of = (listCost: number | null) => ({
    state: 'done' as const,
    record: { ...rest, attempts: attempts.map((one) => ({ ...one, credential: 'cred_1', listCost })) },
  });
  expect(settled({ after: of(4_000) })).toEqual([
    ['key', -850, -6_000, true],
    ['tenant', -850, -10_000, true],
  ]);
  expect(settled({ after: of(null) })[0]).toEqual(['key', 0, 0, true]);
  const before = hold({ tokens: 0, amount: 500 });
  const { record: both } = of(4_000);
  const holds = [before, { ...included, isFurther: true as const }];
  expect(settled({ after: { state: 'done', record: { ...both, holds } } })).toEqual([
    ['key', 150, 3_500, true],
    ['key', -1_000, -10_000, true],
  ]);
});

test('what detectors of guardrails cost counts, too', () => {
  const { charge, ...rest } = record([hold()]);
  const guarded = { ...rest, charge: (charge ?? 0) + 700 };
  expect(settled({ after: { state: 'done', record: guarded } })).toEqual([['key', -850, -7_800, true]]);
});

test('a record that gets another cost settles the difference, and ends nothing twice', () => {
  expect(settled({ before: done([hold()]), after: done([hold()], 2_500) })).toEqual([
    ['key', 0, 1_000, false],
  ]);
  expect(settled({ before: done([hold()], null), after: done([hold()]) })).toEqual([
    ['key', -850, -8_500, false],
  ]);
  expect(settled({ before: done([hold()]), after: done([hold()]) })).toEqual([]);
});

test('a request that had only seemed interrupted ends the holds that it got in the meantime', () => {
  const further = hold({ tokens: 500, amount: 3_000, isFurther: true });
  expect(settled({ before: done([hold()], 500), after: done([hold(), further]) })).toEqual([
    ['key', 0, 1_000, false],
    ['key', -500, -3_000, true],
  ]);
});
