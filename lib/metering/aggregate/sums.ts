/** What changes of the ledger add to the daily counters, and to the sums of the dashboard. */
import { type CounterKey, dayOf } from '../../core/accounting/counters.ts';
import type { LedgerChange } from '../../core/accounting/journal.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import {
  addNumbers,
  failurePrefix,
  hourOf,
  monthOf,
  type Numbers,
  type SumKey,
} from '../../core/accounting/sums.ts';
import type { CountedChange } from '../../core/ports/usage-store.ts';
import { counterKeyOf, countsOf, detailsOf } from '../cost/counts.ts';

/** Characters of a user and of an error code in a sum: longer than any that a request gets. */
const maxName = 128;

export const counterPartsOf = (record: LedgerRecord): readonly Part<CounterKey>[] => [
  { key: counterKeyOf(record), counts: countsOf(record) },
];

/** With what the dashboard shows beside the counts. */
export const detailedPartsOf = (record: LedgerRecord): readonly Part<CounterKey>[] => [
  { key: counterKeyOf(record), counts: detailsOf(record) },
];

/** At most one sum for each hour, key, user and period, and one for each deployment that was called. */
export function sumPartsOf(record: LedgerRecord): readonly Part<SumKey>[] {
  const { at, tenant, key, model, user } = record;
  const counts = detailsOf(record);
  const day = dayOf(at);
  const hour = hourOf(at);
  return [
    { key: { of: 'hour', tenant, hour, key, model }, counts },
    { key: { of: 'key', month: monthOf(at), tenant, key }, counts },
    ...(user ? [{ key: { of: 'user', tenant, day, user: cut(user) } as const, counts }] : []),
    ...[day, monthOf(at)].map((period) => ({
      key: { of: 'tenant', period, tenant } as const,
      counts,
      lastAt: at,
    })),
    ...[hour, day].flatMap((period) => deploymentParts(record, period, counts)),
  ];
}

/** The request counts at the deployment where it ended, and each call at its own. */
function deploymentParts(
  { provider, region, model, attempts }: LedgerRecord,
  period: string,
  counts: Numbers,
): readonly Part<SumKey>[] {
  const calls = attempts.map((attempt) => ({
    key: {
      of: 'deployment',
      period,
      provider: attempt.provider,
      region: attempt.region,
      model: attempt.model,
    } as const,
    counts: {
      attempts: 1,
      ...(attempt.error !== undefined && { [failurePrefix + cut(attempt.error)]: 1 }),
    },
    ...(attempt.error !== undefined && { lastAt: attempt.at }),
  }));
  return [...calls, { key: { of: 'deployment', period, provider, region, model }, counts }];
}

const cut = (name: string) => name.slice(0, maxName).toWellFormed();

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
