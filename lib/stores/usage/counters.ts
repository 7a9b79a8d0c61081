/** The daily sums of the ledger. Each knows how far it has seen the stream of the ledger's changes. */

import {
  type CounterKey,
  type Counts,
  countNames,
  type DailyCounter,
  toCounts,
} from '../../core/accounting/counters.ts';
import type { StreamBatch } from '../../core/accounting/journal.ts';
import { addNumbers } from '../../core/accounting/sums.ts';
import type { CountedChange } from '../../core/ports/usage-store.ts';
import { sortKey } from '../../core/tables.ts';
import { addOnce } from '../dynamodb/add-once.ts';
import type { StoredItem, Table } from '../dynamodb/table.ts';
import { toItemUpdate, type UpdateFields } from '../dynamodb/update-expression.ts';
import { counterKey, counterPartition, lastSuffix, monthsBetween } from './keys.ts';

/** Until when the ledger holds every record of a counter, by the retention at the time of its first record. */
const untilAttribute = 'ledgerUntil';

/** From when on changes are added; those before were in the ledger when the counter was compared with it. Unix milliseconds. */
const sinceAttribute = 'countedSince';

/** Adds the changes that the counter has not seen, in one write. May be repeated. */
export function addToCounter(
  table: Table,
  key: CounterKey,
  { changes, batch, until }: { changes: readonly CountedChange[]; batch: StreamBatch; until: number },
): Promise<void> {
  return addOnce(table, counterKey(key), {
    changes,
    batch,
    fieldsOf(unseen) {
      const counts = unseen.map((change) => change.counts).reduce(addNumbers);
      const earliest = Math.min(...unseen.map(({ at }) => at));
      return {
        // Without a charge, an item is of when there were none.
        setOnce: [[[untilAttribute], until], ...(counts.charge ? [] : [[['charge'], 0] as const])],
        add: Object.entries(counts),
        where: [{ path: [sinceAttribute], absentOr: '<=', value: earliest }],
      };
    },
    counts: ({ at }, item) => at >= Number(item?.[sinceAttribute] ?? 0),
  });
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
  return [{ tenant, day, key, model, counts: toCounts(withCharges(item)), ledgerUntil }];
}

/** An item without a charge is of when tenants were charged the cost. */
export function withCharges(item: StoredItem): StoredItem {
  const { charge = item.cost, uncharged = item.charge === undefined ? item.unpriced : 0 } = item;
  return { ...item, charge, uncharged };
}
