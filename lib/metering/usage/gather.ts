/**
 * Sums up a tenant's usage: from the daily counters if they suffice, because they never expire; else from the ledger, whose
 * records have users, sessions and the time of day, but expire.
 */

import { dayOf } from '../../core/accounting/counters.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';
import { dayMs } from '../../core/time.ts';
import { countsOf } from '../cost/counts.ts';
import { recordsOf } from '../records/records.ts';
import { createSums, groupsOfTags, needsLedger, type Sums } from './groups.ts';
import { type Question, wrong } from './question.ts';

export type ReadUsage = Pick<UsageStore, 'records' | 'counters' | 'oldestDay'>;

interface Gathered {
  readonly sums: Sums;
  readonly source: 'daily_counters' | 'ledger';
  /** The time from which the data is complete, in Unix milliseconds. */
  readonly completeFrom: number;
}

interface Asked extends Question {
  readonly tenant: string;
  readonly signal: AbortSignal;
  /** The maximum number of records and of groups. */
  readonly max?: number;
}

/** The maximum number of records and of groups of one answer: memory and time are limited. */
export const maxGathered = 50_000;

/** How many days of counters are read at once: a tenant may have very many keys. */
const daysPerRead = 7;

export async function gather(usage: ReadUsage, asked: Asked): Promise<Gathered> {
  return countersSuffice(asked) ? await fromCounters(usage, asked) : await fromLedger(usage, asked);
}

/** Whether the time span consists of whole days and no group needs the ledger. */
function countersSuffice({ from, to, groupBy }: Question): boolean {
  const hasWholeDays = from % dayMs === 0 && to % dayMs === 0;
  return hasWholeDays && !groupBy.some(needsLedger);
}

async function fromCounters(usage: ReadUsage, asked: Asked): Promise<Gathered> {
  const { tenant, from, to, groupBy, signal, max = maxGathered } = asked;
  const sums = createSums(groupBy);
  for (let start = from; start < to; start += daysPerRead * dayMs) {
    signal.throwIfAborted();
    const end = Math.min(start + daysPerRead * dayMs, to) - 1;
    const counters = await usage.counters(tenant, { from: dayOf(start), to: dayOf(end) });
    for (const { day, key, model, counts } of counters) sums.add({ day, key, model }, counts);
    if (sums.size() > max) throw tooMuch(max, 'groups');
  }
  return { sums, source: 'daily_counters', completeFrom: from };
}

async function fromLedger(usage: ReadUsage, asked: Asked): Promise<Gathered> {
  const { tenant, to, groupBy, signal, max = maxGathered } = asked;
  const sums = createSums(groupBy);
  const from = Math.max(asked.from, Date.parse(usage.oldestDay()));
  let read = 0;
  for await (const record of recordsOf(usage, tenant, { from, to })) {
    signal.throwIfAborted();
    read += 1;
    if (read > max) throw tooMuch(max, 'requests');
    const { at, key, model, user, session, tags } = record;
    const caller = { ...(user && { user }), ...(session && { session }) };
    const group = { ...groupsOfTags(tags), day: dayOf(at), key, model, ...caller };
    sums.add(group, countsOf(record));
  }
  return { sums, source: 'ledger', completeFrom: from };
}

const tooMuch = (max: number, what: string) =>
  wrong('from', `and 'to' span more than ${max} ${what}: request a shorter time span`);
