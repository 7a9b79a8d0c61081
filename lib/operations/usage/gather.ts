/**
 * Sums up a tenant's usage: from the daily sums where they tell enough, which are kept for ever; else from the ledger,
 * which alone knows users, sessions and the time of day, and forgets.
 */
import { dayOf } from '../../core/accounting/counters.ts';
import type { UsageStore } from '../../core/ports.ts';
import { countsOf } from '../../metering/counts.ts';
import { recordsOf } from '../../metering/records.ts';
import { createSums, type Sums } from './groups.ts';
import { dayMs, type Question, wrong } from './question.ts';

export type ReadUsage = Pick<UsageStore, 'records' | 'counters' | 'oldestDay'>;

export interface Gathered {
  readonly sums: Sums;
  readonly source: 'daily_counters' | 'ledger';
  /** From when on nothing is missing, in Unix milliseconds. */
  readonly completeFrom: number;
}

interface Asked extends Question {
  readonly tenant: string;
  readonly signal: AbortSignal;
  /** How many records, and how many groups, may be read. */
  readonly most?: number;
}

/** How many records, and how many groups, one answer is made from at most: it has little memory and time. */
const maxOfAnswer = 50_000;

/** Sums of so many days are read at once: a tenant may have very many keys. */
const daysAtOnce = 7;

export async function gather(usage: ReadUsage, asked: Asked): Promise<Gathered> {
  return tellsEnough(asked) ? await fromCounters(usage, asked) : await fromLedger(usage, asked);
}

/** Whether the daily sums do. */
function tellsEnough({ from, to, groupBy }: Question): boolean {
  const isOfDays = from % dayMs === 0 && to % dayMs === 0;
  return isOfDays && !groupBy.includes('user') && !groupBy.includes('session');
}

async function fromCounters(usage: ReadUsage, asked: Asked): Promise<Gathered> {
  const { tenant, from, to, groupBy, signal, most = maxOfAnswer } = asked;
  const sums = createSums(groupBy);
  for (let start = from; start < to; start += daysAtOnce * dayMs) {
    signal.throwIfAborted();
    const end = Math.min(start + daysAtOnce * dayMs, to) - 1;
    const counters = await usage.counters(tenant, { from: dayOf(start), to: dayOf(end) });
    for (const { day, key, model, counts } of counters) sums.add({ day, key, model }, counts);
    if (sums.size() > most) throw tooMuch(most, 'groups');
  }
  return { sums, source: 'daily_counters', completeFrom: from };
}

async function fromLedger(usage: ReadUsage, asked: Asked): Promise<Gathered> {
  const { tenant, to, groupBy, signal, most = maxOfAnswer } = asked;
  const sums = createSums(groupBy);
  const from = Math.max(asked.from, Date.parse(usage.oldestDay()));
  let read = 0;
  for await (const record of recordsOf(usage, tenant, { from, to })) {
    signal.throwIfAborted();
    read += 1;
    if (read > most) throw tooMuch(most, 'requests');
    const { at, key, model, user, session } = record;
    const place = { day: dayOf(at), key, model, ...(user && { user }), ...(session && { session }) };
    sums.add(place, countsOf(record));
  }
  return { sums, source: 'ledger', completeFrom: from };
}

const tooMuch = (most: number, what: string) =>
  wrong('from', `and 'to' have more than ${most} ${what} between them: ask for a shorter time`);
