/** The use of many scopes, for lists that people look at: a hundred items in a call. */
import type { LimitScope, LimitUsage } from '../../core/accounting/limits.ts';
import { partitionKey } from '../../core/tables.ts';
import { getMany } from '../dynamodb/get-many.ts';
import type { TableOptions } from '../dynamodb/table.ts';
import { toLimitUsage } from './counts.ts';
import { minuteOf } from './periods.ts';
import { poolName } from './pool/pool.ts';
import { readPool, shardsOf, turnOf } from './pool/pool-item.ts';

interface ReadParts extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Of one scope, with its shards. */
  readonly read: (scope: LimitScope) => Promise<LimitUsage | undefined>;
}

export async function readMany(
  scopes: readonly LimitScope[],
  parts: ReadParts,
): Promise<readonly (LimitUsage | undefined)[]> {
  const names = [...new Set(scopes.map(poolName))];
  const items = await getMany(
    parts,
    names.map((name) => [name, 'now']),
  );
  const stored = new Map(items.map((item) => [item[partitionKey], item]));
  return await Promise.all(
    scopes.map(async (scope) => {
      const item = stored.get(poolName(scope));
      if (!item) return undefined;
      const pool = readPool(item);
      // What was leased to shards counts at the pool as used.
      if (shardsOf(pool).length > 0) return await parts.read(scope);
      const { counts, to } = turnOf(pool, minuteOf(parts.now()));
      return toLimitUsage(counts, to.minute);
    }),
  );
}
