/** Sums up the usage of one tenant: from the sums that have what is asked for, else from the records of the ledger. */
import { dayOf } from '../../core/accounting/counters.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { hourDays } from '../../core/accounting/sums.ts';
import type { LedgerSearch } from '../../core/ports/ledger-search.ts';
import type { SumsStore } from '../../core/ports/sums-store.ts';
import type { Span, UsageStore } from '../../core/ports/usage-store.ts';
import { dayMs } from '../../core/time.ts';
import { detailsOf } from '../../metering/cost/counts.ts';
import { recordsOf } from '../../metering/records/records.ts';
import { maxGathered } from '../../metering/usage/gather.ts';
import { createSums } from '../../metering/usage/groups.ts';
import { wrong } from '../../metering/usage/question.ts';
import type { GatheredUsage } from './gathered.ts';
import { slotsOf, stepOf } from './periods.ts';
import { readKeys } from './read-sums.ts';
import { groupOf, isAsked } from './record-groups.ts';
import type { Scope } from './scope.ts';
import type { UsageQuestion } from './usage-question.ts';

export interface TenantReads {
  readonly sums: Pick<SumsStore, 'hours' | 'days' | 'usersIn' | 'since'>;
  readonly usage: Pick<UsageStore, 'records' | 'oldestDay'>;
  readonly search: LedgerSearch;
}

interface Asked extends UsageQuestion {
  readonly tenant: string;
  readonly keys: Scope['keys'];
  readonly signal: AbortSignal;
}

const ofKeys: ReadonlySet<string> = new Set(['hour', 'day', 'model', 'key', 'tenant']);
const ofUsers: ReadonlySet<string> = new Set(['day', 'user', 'tenant']);

export async function gatherTenant(reads: TenantReads, asked: Asked, now: number): Promise<GatheredUsage> {
  const { group_by: groupBy, from, to, model, key, user, keys } = asked;
  const hasDays = from % dayMs === 0 && to % dayMs === 0;
  const isOfHours = from % stepOf.hour === 0 && to % stepOf.hour === 0;
  if (user === undefined && groupBy.every((name) => ofKeys.has(name))) {
    if (hasDays && !groupBy.includes('hour')) return await fromKeys(reads, asked, 'day');
    if (isOfHours && (await hasHours(reads.sums, asked, now))) return await fromKeys(reads, asked, 'hour');
  } else if (
    hasDays &&
    !keys &&
    model === undefined &&
    key === undefined &&
    groupBy.every((name) => ofUsers.has(name))
  ) {
    const found = await fromUsers(reads, asked, now);
    if (found) return found;
  }
  return asked.max_records === undefined
    ? await fromLedger(reads, asked)
    : await fromNewest(reads, asked, asked.max_records);
}

/** Whether all hours of a span are summed up, and still there. */
export const hasHours = async (
  sums: Pick<SumsStore, 'since'>,
  { from }: Span,
  now: number,
): Promise<boolean> => from >= Math.max((await sums.since()) ?? now, now - (hourDays - 1) * dayMs);

async function fromKeys({ sums }: TenantReads, asked: Asked, grain: 'hour' | 'day'): Promise<GatheredUsage> {
  const { tenant, from, group_by: groupBy } = asked;
  const found = createSums(groupBy);
  for (const { period, model, key, numbers } of await readKeys(
    sums,
    tenant,
    asked,
    { ...asked, grain },
    asked,
  ))
    found.add({ hour: period, day: period.slice(0, 10), model, key, tenant }, numbers);
  return { sums: found, source: grain === 'hour' ? 'hourly_counters' : 'daily_counters', completeFrom: from };
}

/** Undefined if they do not have all of it: requests without a user are in none of them. */
async function fromUsers(
  { sums }: TenantReads,
  { tenant, from, to, group_by: groupBy, user }: Asked,
  now: number,
): Promise<GatheredUsage | undefined> {
  if (user === undefined) return undefined;
  if (((await sums.since()) ?? now) > from) return undefined;
  const rows = await sums.usersIn(tenant, user, slotsOf({ from, to }, 'day').map(dayOf));
  const found = createSums(groupBy);
  for (const { period, numbers } of rows) found.add({ day: period, user, tenant }, numbers);
  return { sums: found, source: 'daily_counters', completeFrom: from };
}

/** Of so many records at most: the answer says since when. */
async function fromNewest({ usage, search }: TenantReads, asked: Asked, max: number): Promise<GatheredUsage> {
  const { tenant, to, group_by: groupBy, signal } = asked;
  const found = createSums(groupBy);
  const from = Math.max(asked.from, Date.parse(usage.oldestDay()));
  const question = { from, to, tenants: [tenant], matches: (record: LedgerRecord) => isAsked(record, asked) };
  let [completeFrom, left]: [number, number] = [from, max];
  for (let after: string | undefined; from < to; ) {
    const page = await search.newest({ ...question, after, limit: left, maxRead: left, signal });
    for (const record of page.records) found.add(groupOf(record), detailsOf(record));
    left -= page.lookedAt;
    completeFrom = page.searchedTo;
    after = page.next;
    if (after === undefined || left <= 0) break;
  }
  return { sums: found, source: 'ledger', completeFrom };
}

async function fromLedger({ usage }: TenantReads, asked: Asked): Promise<GatheredUsage> {
  const { tenant, to, group_by: groupBy, signal } = asked;
  const found = createSums(groupBy);
  const from = Math.max(asked.from, Date.parse(usage.oldestDay()));
  let read = 0;
  if (from < to) {
    for await (const record of recordsOf(usage, tenant, { from, to })) {
      signal.throwIfAborted();
      read += 1;
      if (read > maxGathered)
        throw wrong('from', `and 'to' span more than ${maxGathered} requests: request a shorter time span`);
      if (isAsked(record, asked)) found.add(groupOf(record), detailsOf(record));
    }
  }
  return { sums: found, source: 'ledger', completeFrom: from };
}
