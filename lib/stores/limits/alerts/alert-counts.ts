/** How many alerts of a tenant were sent in the current hour, in one item for each kind of scope. */
import type { CountAlert } from '../../../core/ports/alerts.ts';
import { expiryAttribute } from '../../../core/tables.ts';
import { type ItemKey, openTable, type TableOptions } from '../../dynamodb/table.ts';
import { toItemUpdate } from '../../dynamodb/update-expression.ts';

export function createCountAlert(options: TableOptions): CountAlert {
  const items = openTable(options);
  return async (tenant, kind, hour) => {
    const key: ItemKey = [`alerts#${tenant}#${kind}`, 'now'];
    const isHour = { path: ['hour'], is: '=', value: hour } as const;
    const more = toItemUpdate({ add: [['count', 1]], where: [isHour] });
    const first = toItemUpdate({
      set: [
        [['hour'], hour],
        [['count'], 1],
        [[expiryAttribute], (hour + 2) * 3_600],
      ],
      where: [{ path: ['hour'], absentOr: '<', value: hour }],
    });
    // Of two processes that begin an hour, one finds that the other has begun it.
    const item =
      (await items.update(key, more)) ?? (await items.update(key, first)) ?? (await items.update(key, more));
    return typeof item?.count === 'number' ? item.count : 1;
  };
}
