/**
 * Adjustments and closed months, in the usage table: `adjust#<tenant>#<month>` / `<id>` and `close#<tenant>` / `<month>`.
 * They never expire.
 */
import * as z from 'zod/mini';
import { countNames, toCounts } from '../../core/accounting/counters.ts';
import type { Adjustment, Journal, MonthClose } from '../../core/accounting/journal.ts';
import { isAbsent, openTable, type TableOptions } from '../dynamodb/table.ts';

const adjustmentItem = z.object({
  id: z.string(),
  tenant: z.string(),
  month: z.string(),
  at: z.int(),
  amount: z.int(),
  reason: z.string(),
  by: z.string(),
  requestId: z.exactOptional(z.string()),
});

const closeItem = z.object({
  tenant: z.string(),
  month: z.string(),
  at: z.int(),
  by: z.string(),
  models: z.array(z.object({ model: z.string(), counts: z.record(z.string(), z.number()) })),
  hash: z.string(),
  pricing: z.array(z.string()),
  prices: z.array(z.string()),
});

/** Sorts before and after every id. */
const all = { from: ' ', to: '\uffff' };

export function createJournal(options: TableOptions): Journal {
  const table = openTable(options);
  return {
    adjust: (adjustment) =>
      table.put([adjustments(adjustment.tenant, adjustment.month), adjustment.id], adjustment, isAbsent),
    async adjustments(tenant, month) {
      const items = await table.query(adjustments(tenant, month), all);
      const read = items.map((item): Adjustment => adjustmentItem.parse(item));
      return read.toSorted((one, other) => one.at - other.at);
    },
    close: (close) => table.put([closes(close.tenant), close.month], withoutZeros(close), isAbsent),
    async closed(tenant, month) {
      const item = await table.get([closes(tenant), month], { consistent: true });
      return item && readClose(closeItem.parse(item));
    },
  };
}

const adjustments = (tenant: string, month: string) => `adjust#${tenant}#${month}`;

const closes = (tenant: string) => `close#${tenant}`;

const readClose = ({ models, ...close }: z.output<typeof closeItem>): MonthClose => ({
  ...close,
  models: models.map(({ model, counts }) => ({ model, counts: toCounts(counts) })),
});

/** An item holds 400 KB: counts of 0 are left out. */
const withoutZeros = ({ models, ...close }: MonthClose) => ({
  ...close,
  models: models.map(({ model, counts }) => ({
    model,
    counts: Object.fromEntries(
      countNames.flatMap((name) => (counts[name] === 0 ? [] : [[name, counts[name]]])),
    ),
  })),
});
