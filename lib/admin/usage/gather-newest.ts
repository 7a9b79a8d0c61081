/**
 * Groups of all tenants that no sum has, such as users, sessions and tags: from the newest records of the ledger. How many are read
 * is bounded, so that the answer may be complete from a later time on than is asked for, and says so.
 */
import { dayOf } from '../../core/accounting/counters.ts';
import type { LedgerSearch } from '../../core/ports/ledger-search.ts';
import type { SumsStore } from '../../core/ports/sums-store.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';
import { dayMs } from '../../core/time.ts';
import { detailsOf } from '../../metering/cost/counts.ts';
import { createSums } from '../../metering/usage/groups.ts';
import { wrong } from '../../metering/usage/question.ts';
import type { GatheredUsage } from './gathered.ts';
import { aligned, slotsOf } from './periods.ts';
import { groupOf, isAsked } from './record-groups.ts';
import type { UsageQuestion } from './usage-question.ts';

/** Records of one answer. */
const maxRecords = 4_000;

/** Tenants of days, each of which is at least one query: no further day is begun beyond them. */
const maxTenantDays = 400;

/** Tenants of the newest day. */
const maxTenants = 1_000;

export interface NewestReads {
  readonly sums: Pick<SumsStore, 'since' | 'tenantCharges'>;
  readonly usage: Pick<UsageStore, 'oldestDay'>;
  readonly search: LedgerSearch;
}

interface Asked extends UsageQuestion {
  readonly signal: AbortSignal;
}

export async function gatherNewest(reads: NewestReads, asked: Asked, now: number): Promise<GatheredUsage> {
  const { sums, usage, search } = reads;
  const { group_by: groupBy, to, signal } = asked;
  const from = Math.max(asked.from, Date.parse(usage.oldestDay()), (await sums.since()) ?? now);
  const found = createSums(groupBy);
  let completeFrom = Math.max(from, Math.min(to, now));
  let [left, tenantDays] = [Math.min(asked.max_records ?? maxRecords, maxRecords), 0];
  // A gateway whose time is ahead may have written later ones.
  const last = Math.min(to, now + dayMs);
  const days = from < last ? slotsOf(aligned({ from, to: last }, 'day'), 'day').toReversed() : [];
  for (const day of days) {
    signal.throwIfAborted();
    const tenants = (await sums.tenantCharges(dayOf(day))).map(({ tenant }) => tenant);
    if (tenantDays > 0 && tenantDays + tenants.length > maxTenantDays) break;
    if (tenants.length > maxTenants) throw tooMany(groupBy);
    tenantDays += tenants.length;
    const span = { from: Math.max(day, from), to: Math.min(day + dayMs, to) };
    const matches = (record: Parameters<typeof isAsked>[0]) => isAsked(record, asked);
    const bounds = { limit: left, maxRead: left, signal };
    const page = await search.newest({ ...span, ...bounds, tenants, matches });
    for (const record of page.records) found.add(groupOf(record), detailsOf(record));
    completeFrom = page.searchedTo;
    left -= page.lookedAt;
    if (page.next !== undefined || left <= 0) break;
  }
  return { sums: found, source: 'ledger', completeFrom };
}

const tooMany = (groupBy: readonly string[]) =>
  wrong(
    'group_by',
    `cannot be '${groupBy.join()}' of all tenants, as more than ${maxTenants} were active on one day: add 'tenant'`,
  );
