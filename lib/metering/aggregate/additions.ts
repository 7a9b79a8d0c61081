/** What changes of the ledger add to sums of any kind. */
import type { LedgerChange } from '../../core/accounting/journal.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { addNumbers, type Numbers } from '../../core/accounting/sums.ts';
import type { CountedChange } from '../../core/ports/usage-store.ts';

/** What one record adds to one sum. */
export interface Part<Key> {
  readonly key: Key;
  readonly counts: Numbers;
  /** As `CountedChange` has it, if the record is new. */
  readonly lastAt?: number;
}

export interface Addition<Key> {
  readonly key: Key;
  readonly changes: readonly CountedChange[];
}

/**
 * By sum, in the order of the changes. A change adds the numbers of what there is after it, less the numbers of what was there
 * before: so a record that gets another cost corrects its sums. An open record counts nothing, and the removal of an expired one
 * takes nothing away.
 */
export function additionsOf<Key extends object>(
  changes: readonly LedgerChange[],
  partsOf: (record: LedgerRecord) => readonly Part<Key>[],
): readonly Addition<Key>[] {
  const additions = new Map<string, { key: Key; changes: CountedChange[] }>();
  const add = ({ key, counts }: Part<Key>, change: Omit<CountedChange, 'counts'>) => {
    const name = JSON.stringify(Object.values(key));
    const addition = additions.get(name) ?? { key, changes: [] };
    additions.set(name, addition);
    const last = addition.changes.at(-1);
    // A change within one sum is one addition to it.
    if (last?.sequence === change.sequence) {
      addition.changes.splice(-1, 1, { ...last, ...change, counts: addNumbers(last.counts, counts) });
    } else addition.changes.push({ ...change, counts });
  };
  for (const { sequence, at, before, after } of changes) {
    if (after?.state !== 'done') continue;
    const old = before?.state === 'done' ? partsOf(before.record) : [];
    for (const { key, counts } of old) add({ key, counts: minus(counts) }, { sequence, at });
    const isNew = before?.state !== 'done';
    for (const part of partsOf(after.record)) {
      const { lastAt } = part;
      add(part, { sequence, at, ...(isNew && lastAt !== undefined && { lastAt }) });
    }
  }
  return [...additions.values()].filter(({ changes: added }) =>
    added.some(({ counts }) => Object.values(counts).some((value) => value !== 0)),
  );
}

const minus = (counts: Numbers): Numbers =>
  Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, 0 - value]));
