/**
 * The audit log in the usage table: `audit#<YYYY-MM>` / `<time>#<id>`. Records never expire. One partition takes a thousand writes per
 * second, far more than people make.
 */
import * as z from 'zod/mini';
import type { AuditLog, AuditPage, AuditQuestion, AuditRecord } from '../../core/accounting/audit.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { sortKey } from '../../core/tables.ts';
import { isoTime } from '../../core/time.ts';
import { isAbsent, openTable, type StoredItem, type Table, type TableOptions } from '../dynamodb/table.ts';

/** Records that are looked at for one page, whatever the filters leave of them. */
export const maxSearchedRecords = 2_000;

/** Records that one query reads where a filter may leave few of them. */
const filteredRead = 500;

/** There were no records before this month: the end of every search. */
const firstMonth = '2026-11';

const fields = z.exactOptional(z.record(z.string(), z.unknown()));

const auditItem = z.object({
  id: z.string(),
  at: z.int(),
  by: z.object({ id: z.string(), name: z.string(), role: z.string(), via: z.string() }),
  action: z.string(),
  tenant: z.exactOptional(z.string()),
  target: z.string(),
  before: fields,
  after: fields,
});

const keyPrefix = 'audit#';

/** `now`: the time in milliseconds. */
export function createAuditLog({ now, ...options }: TableOptions & { readonly now: () => number }): AuditLog {
  const table = openTable(options);
  return {
    async write(record) {
      const time = isoTime(record.at);
      await table.put([keyPrefix + monthOf(time), `${time}#${record.id}`], record, isAbsent);
    },
    list: async (question) => await search(table, question, startOf(question, now())),
  };
}

const monthOf = (time: string) => time.slice(0, 'YYYY-MM'.length);

/** The highest sort key that may be on the page. None is later than now: each month until then would be a query. */
function startOf({ after, before }: AuditQuestion, now: number): string {
  // The times of processes differ a little, and records of the next minute are still the newest ones.
  const latest = now + 60_000;
  if (after !== undefined) {
    if (/^\d{4}-(0[1-9]|1[0-2])-\d{2}T[\d:.]{12}Z#?[\w.-]{0,100}$/.test(after))
      return after < isoTime(latest) ? after : isoTime(latest);
    throw new GatewayError('invalid_request', "'after' must be the 'next_after' of the page before.", {
      param: 'after',
    });
  }
  return isoTime(Math.min(before ?? latest, latest));
}

interface Search {
  readonly found: AuditRecord[];
  searched: number;
  /** The sort key of what was looked at last. */
  last: string;
}

async function search(table: Table, question: AuditQuestion, start: string): Promise<AuditPage> {
  const state: Search = { found: [], searched: 0, last: start };
  let month = monthOf(start);
  while (month >= firstMonth) {
    if (await searchMonth(table, month, question, state)) return pageOf(state, true);
    month = monthBefore(month);
  }
  return pageOf(state, false);
}

/** True if the search ends before the month does. */
async function searchMonth(
  table: Table,
  month: string,
  question: AuditQuestion,
  state: Search,
): Promise<boolean> {
  const { tenant, person, action } = question;
  const isFiltered = [tenant, person, action].some((filter) => filter !== undefined);
  const wanted = isFiltered ? filteredRead : question.limit + 1;
  for (;;) {
    const items = await table.query(keyPrefix + month, {
      from: ' ',
      to: state.last,
      newestFirst: true,
      limit: wanted + 1,
    });
    // Both ends of a range are included: what was looked at last is among the items.
    const next = items.filter((item) => String(item[sortKey]) < state.last);
    for (const item of next) {
      if (state.found.length === question.limit || state.searched === maxSearchedRecords) return true;
      state.searched += 1;
      state.last = String(item[sortKey]);
      const record = readRecord(item);
      if (record && fits(record, question)) state.found.push(record);
    }
    if (items.length <= wanted) return false;
  }
}

function pageOf({ found, last }: Search, hasMore: boolean): AuditPage {
  if (!hasMore) return { records: found };
  return { records: found, next: last, searchedTo: Date.parse(last.split('#', 1)[0] ?? '') };
}

function monthBefore(month: string): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() - 1);
  return monthOf(first.toISOString());
}

/** Undefined for a record of a form that is not known here. */
function readRecord(item: StoredItem): AuditRecord | undefined {
  const { success, data } = auditItem.safeParse(item);
  return success ? data : undefined;
}

function fits(record: AuditRecord, { tenant, person, action }: AuditQuestion): boolean {
  if (tenant !== undefined && record.tenant !== tenant) return false;
  if (person !== undefined && record.by.id !== person) return false;
  return action === undefined || record.action === action;
}
