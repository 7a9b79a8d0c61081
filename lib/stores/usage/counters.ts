/** The daily sums of the ledger. Each knows how far it has seen the stream of the ledger's changes. */
import type { StreamBatch } from '../../core/accounting/changes.ts';
import {
  addCounts,
  type CounterKey,
  type Counts,
  countNames,
  type DailyCounter,
  toCounts,
} from '../../core/accounting/counters.ts';
import type { CountedChange } from '../../core/ports/usage-store.ts';
import { sortKey } from '../../core/tables.ts';
import type { StoredItem, Table } from '../dynamodb/table.ts';
import { toItemUpdate, type UpdateFields } from '../dynamodb/update-expression.ts';
import { forgetting, hasSeen, watermarkOf } from '../dynamodb/watermark.ts';
import { counterKey, counterPartition, monthsBetween } from './keys.ts';

/** Until when the ledger holds every record of a counter, by the retention at the time of its first record. */
const untilAttribute = 'ledgerUntil';

/** From when on changes are added; those before were in the ledger when the counter was compared with it. Unix milliseconds. */
const sinceAttribute = 'countedSince';

/** Sorts after every other continuation of a sort key. */
const lastSuffix = '\uffff';

/** Adds the changes that the counter has not seen, in one write. May be repeated. */
export async function addToCounter(
  table: Table,
  key: CounterKey,
  { changes, batch, until }: { changes: readonly CountedChange[]; batch: StreamBatch; until: number },
): Promise<void> {
  let unseen = changes;
  while (unseen.length > 0) {
    const [first, last] = [unseen[0], unseen.at(-1)];
    if (!first || !last) return;
    const { set, where } = watermarkOf(batch, { first: first.sequence, last: last.sequence });
    const counts = unseen.map((change) => change.counts).reduce(addCounts);
    const earliest = Math.min(...unseen.map(({ at }) => at));
    const item = await table.update(
      counterKey(key),
      toItemUpdate({
        set: [set],
        // Without a charge, an item is of when there were none.
        setOnce: [[[untilAttribute], until], ...(counts.charge === 0 ? [[['charge'], 0] as const] : [])],
        add: countNames.map((name) => [name, counts[name]] as const),
        where: [where, { path: [sinceAttribute], absentOr: '<=', value: earliest }],
      }),
    );
    if (item) return await forget(table, key, item, batch);
    const seen = await table.get(counterKey(key), { consistent: true });
    const since = Number(seen?.[sinceAttribute] ?? 0);
    unseen = unseen.filter(({ sequence, at }) => at >= since && !hasSeen(seen, batch, sequence));
  }
}

/** Fails without harm if another write was faster. */
async function forget(table: Table, key: CounterKey, item: StoredItem, batch: StreamBatch): Promise<void> {
  const fields = forgetting(item, batch);
  if (fields) await table.update(counterKey(key), toItemUpdate(fields));
}

const comparedNames = countNames.filter((name) => name !== 'charge' && name !== 'uncharged');

/** Sets the counts, if they are still the known ones. `since`: changes from then on are still to be added. */
export async function replaceCounter(
  table: Table,
  key: CounterKey,
  {
    counts,
    known,
    since,
    until,
  }: { counts: Counts; known: Counts | undefined; since: number; until: number },
): Promise<boolean> {
  const fields: UpdateFields = {
    set: [...countNames.map((name) => [[name], counts[name]] as const), [[sinceAttribute], since]],
    setOnce: [[[untilAttribute], until]],
    // Charges are not compared: items of when there were none do not have them.
    where: comparedNames.map((name) => {
      const value = known?.[name] ?? 0;
      // A missing count is 0.
      return value === 0 ? { path: [name], absentOr: '=', value } : { path: [name], is: '=', value };
    }),
  };
  return (await table.update(counterKey(key), toItemUpdate(fields))) !== undefined;
}

/** The counters of a range of days, with `from` and `to`. */
export async function readCounters(
  table: Table,
  tenant: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly DailyCounter[]> {
  const found = monthsBetween(from, to).map((month) =>
    table.query(counterPartition(tenant, month), { from, to: `${to}#${lastSuffix}` }),
  );
  return (await Promise.all(found)).flat().flatMap((item) => readCounter(tenant, item));
}

function readCounter(tenant: string, item: StoredItem): readonly DailyCounter[] {
  const [, day, key, model] = /^(\d{4}-\d{2}-\d{2})#([^#]*)#(.*)$/s.exec(String(item[sortKey])) ?? [];
  if (day === undefined || key === undefined || model === undefined) return [];
  const until = item[untilAttribute];
  const ledgerUntil = typeof until === 'number' ? until : 0;
  const { charge = item.cost, uncharged = item.charge === undefined ? item.unpriced : 0 } = item;
  return [{ tenant, day, key, model, counts: toCounts({ ...item, charge, uncharged }), ledgerUntil }];
}
