/** What changes of the ledger add to the daily counters. */
import type { LedgerChange, LedgerItem } from '../../core/accounting/changes.ts';
import { type CounterKey, type Counts, countNames, toCounts } from '../../core/accounting/counters.ts';
import type { CountedChange } from '../../core/ports/usage-store.ts';
import { counterKeyOf, countsOf } from '../counts.ts';

export interface CounterAddition {
  readonly key: CounterKey;
  readonly changes: readonly CountedChange[];
}

/**
 * By counter, in the order of the changes. A change adds the counts of what there is after it, less the counts of what was there
 * before: so a record that gets another cost corrects its sums. An open record counts nothing, and the removal of an expired one
 * takes nothing away.
 */
export function additionsOf(changes: readonly LedgerChange[]): readonly CounterAddition[] {
  const additions = new Map<string, { key: CounterKey; changes: CountedChange[] }>();
  const add = ({ sequence, at }: LedgerChange, { record }: LedgerItem, counts: Counts) => {
    const key = counterKeyOf(record);
    const name = JSON.stringify(Object.values(key));
    const addition = additions.get(name) ?? { key, changes: [] };
    additions.set(name, addition);
    const last = addition.changes.at(-1);
    // A change within one counter is one addition to it.
    if (last?.sequence === sequence)
      addition.changes.splice(-1, 1, { ...last, counts: plus(last.counts, counts) });
    else addition.changes.push({ sequence, at, counts });
  };
  for (const change of changes) {
    const { before, after } = change;
    if (after?.state !== 'done') continue;
    if (before?.state === 'done') add(change, before, minus(countsOf(before.record)));
    add(change, after, countsOf(after.record));
  }
  return [...additions.values()].filter(({ changes: added }) => added.some(({ counts }) => isSome(counts)));
}

const isSome = (counts: Counts) => countNames.some((name) => counts[name] !== 0);

const minus = (counts: Counts): Counts =>
  toCounts(Object.fromEntries(countNames.map((name) => [name, 0 - counts[name]])));

const plus = (one: Counts, other: Counts): Counts =>
  toCounts(Object.fromEntries(countNames.map((name) => [name, one[name] + other[name]])));
