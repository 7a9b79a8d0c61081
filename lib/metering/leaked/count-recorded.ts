/** Counts the reservations that have a record, final or open, for each scope of a tenant. */

import { dayOf } from '../../core/accounting/counters.ts';
import { surelyOverMs } from '../../core/accounting/interrupted.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import type { CountRecorded, Hold, LimitScope } from '../../core/accounting/limits.ts';
import type { AggregateStore, UsageStore } from '../../core/ports/usage-store.ts';
import { dayMs } from '../../core/time.ts';
import { recordsOf } from '../records/records.ts';

interface Ledger {
  readonly usage: Pick<UsageStore, 'records' | 'oldestDay'>;
  readonly running: Pick<AggregateStore, 'opened'>;
}

/** Reads the same days once for all scopes, and at most `maxRecords`, all days together. */
export function createCountRecorded(
  ledger: Ledger,
  tenant: string,
  maxRecords: number,
): (scope: LimitScope) => CountRecorded {
  const known = new Map<string, Promise<Tally | 'expired' | undefined>>();
  const budget = { left: maxRecords };
  return (scope) => async (days) => {
    const name = `${days.from} ${days.to}`;
    const tally = known.get(name) ?? tallyOf(ledger, tenant, days, budget);
    known.set(name, tally);
    const counted = await tally;
    return typeof counted === 'function' ? counted(scope) : counted;
  };
}

type Tally = (scope: LimitScope) => number | 'running';

async function tallyOf(
  { usage, running: open }: Ledger,
  tenant: string,
  days: { readonly from: number; readonly to: number },
  budget: { left: number },
): Promise<Tally | 'expired' | undefined> {
  // A reservation may be made so long after its request began, or by another clock.
  const span = { from: days.from * dayMs - surelyOverMs, to: (days.to + 1) * dayMs + surelyOverMs };
  if (dayOf(span.from) < usage.oldestDay()) return 'expired';
  if (budget.left < 0) return undefined;
  const counts = new Map<string, number>();
  const counted = new Set<string>();
  const running = new Set<string>();
  const count = ({ requestId, holds = [] }: LedgerRecord, isOpen = false) => {
    if (holds.length === 0 || counted.has(requestId)) return;
    counted.add(requestId);
    for (const hold of holds) {
      // The reservation of a job of a batch is in the record of its first line.
      if (hold.isPart || hold.day < days.from || hold.day > days.to) continue;
      counts.set(nameOf(hold), (counts.get(nameOf(hold)) ?? 0) + 1);
      if (isOpen && hold.inParts !== undefined) running.add(nameOf(hold));
    }
  };
  for await (const record of recordsOf(usage, tenant, span)) {
    budget.left -= 1;
    if (budget.left < 0) return undefined;
    count(record);
  }
  // An interrupted request has no other record until the aggregator finishes it, which may be now.
  for (const record of await open.opened(tenant, span)) count(record, true);
  return (scope) => (running.has(nameOf(scope)) ? 'running' : (counts.get(nameOf(scope)) ?? 0));
}

const nameOf = ({ kind, id }: LimitScope | Hold) => `${kind} ${id}`;
