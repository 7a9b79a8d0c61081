/**
 * Compares the daily counters with the ledger. They agree once the aggregator has seen all changes; they differ for good only if
 * changes were lost, for example because it failed for longer than the stream keeps them.
 */

import {
  addCounts,
  type CounterKey,
  type Counts,
  type DailyCounter,
  equalCounts,
  toCounts,
} from '../../core/accounting/counters.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';
import { dayMs } from '../../core/time.ts';
import { counterKeyOf, countsOf } from '../cost/counts.ts';
import { recordsOf } from './records.ts';

interface ReconcileOptions {
  readonly usage: UsageStore;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Corrects the counters. */
  readonly write: boolean;
}

/** A counter that did not match the ledger. */
export interface Difference extends CounterKey {
  readonly counted: Counts;
  /** The sum of the ledger's records. */
  readonly actual: Counts;
  /** `busy`: a request has only just ended and may not be counted yet, so nothing was changed. */
  readonly state: 'wrong' | 'fixed' | 'busy';
}

/** The sum of the ledger's records for one counter, and the end of the last request. */
interface Tally {
  readonly key: CounterKey;
  readonly counts: Counts;
  readonly lastEnd: number;
}

/** Longer than the time between the end of a request and the write of its record. */
const countedAfterMs = 30_000;

/** `days` as `YYYY-MM-DD`. Skips counters whose records may already have expired. */
export async function reconcile(
  options: ReconcileOptions,
  tenant: string,
  days: readonly string[],
): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  for (const day of days) differences.push(...(await reconcileDay(options, tenant, day)));
  return differences;
}

/** Reads the counters before the ledger, and does not touch those that change in the meantime. */
async function reconcileDay({ usage, now, write }: ReconcileOptions, tenant: string, day: string) {
  const began = now();
  const counters = await usage.counters(tenant, { from: day, to: day });
  const from = Date.parse(day);
  const tallies = new Map<string, Tally>();
  for await (const record of recordsOf(usage, tenant, { from, to: from + dayMs })) tally(tallies, record);
  const known = new Map(counters.map((counter) => [nameOf(counter), counter]));
  const differences: Difference[] = [];
  for (const name of new Set([...known.keys(), ...tallies.keys()])) {
    const counter = known.get(name);
    const difference = differenceOf(counter, tallies.get(name));
    if (!difference || (counter && counter.ledgerUntil * 1000 <= now())) continue;
    const { key, counted, actual, lastEnd } = difference;
    const isFinal = lastEnd + countedAfterMs <= now();
    // Nothing has ended since then, so what the stream still delivers from before was in the ledger that was read.
    const since = began - countedAfterMs / 2;
    const isFixed = isFinal && write && (await usage.replaceCounter(key, actual, counter?.counts, since));
    const state = isFixed ? 'fixed' : isFinal && !write ? 'wrong' : 'busy';
    differences.push({ ...key, counted, actual, state });
  }
  return differences;
}

const nameOf = ({ key, model }: CounterKey) => `${key} ${model}`;

function tally(tallies: Map<string, Tally>, record: LedgerRecord): void {
  const key = counterKeyOf(record);
  const { counts, lastEnd } = tallies.get(nameOf(key)) ?? { counts: toCounts(), lastEnd: 0 };
  tallies.set(nameOf(key), {
    key,
    counts: addCounts(counts, countsOf(record)),
    lastEnd: Math.max(lastEnd, record.at + record.totalMs),
  });
}

function differenceOf(counter: DailyCounter | undefined, found: Tally | undefined) {
  const { tenant, day, key, model } = counter ?? found?.key ?? {};
  if (tenant === undefined || day === undefined || key === undefined || model === undefined) return undefined;
  const counted = counter?.counts ?? toCounts();
  const actual = found?.counts ?? toCounts();
  if (equalCounts(counted, actual)) return undefined;
  return { key: { tenant, day, key, model }, counted, actual, lastEnd: found?.lastEnd ?? 0 };
}
