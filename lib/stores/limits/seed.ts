/** What a scope used before it had limits. */
import type { Committed } from '../../core/accounting/limits.ts';
import { type Counts, counters, toCounts } from './counts.ts';
import { changeAt } from './end.ts';
import { minuteOf } from './periods.ts';
import type { PoolAccess } from './pool/pool.ts';
import { addition } from './pool/pool-change.ts';
import { turnOf } from './pool/pool-item.ts';

/** Raises what a scope has used in each period to what the ledger says. */
export async function seed(pool: PoolAccess, { day, week, month, total }: Committed): Promise<void> {
  await pool.read();
  await changeAt(pool, (seen) => {
    const turn = turnOf(seen, minuteOf(pool.now()));
    const min: Partial<Counts> = {
      dayCommitted: day,
      weekCommitted: week,
      committed: month,
      totalCommitted: total,
    };
    const more = toCounts((name) =>
      min[name] === undefined ? 0 : Math.max(0, min[name] - turn.counts[name]),
    );
    return counters.some((name) => more[name] > 0) ? addition(seen, turn, more) : undefined;
  });
}
