/**
 * What is known of alerts: which of a scope were raised, on the item that counts its use, one attribute for each limit with the last
 * alert; and how many of a tenant were sent in the current hour, in one item for each kind of scope.
 */
import { randomUUID } from 'node:crypto';
import type { CountAlert, MarkAlert } from '../../core/ports/alerts.ts';
import { expiryAttribute } from '../../core/tables.ts';
import { type ItemKey, openTable, type TableOptions } from '../dynamodb/table.ts';
import { toItemUpdate } from '../dynamodb/update-expression.ts';

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

/** Attributes of alerts begin with this. */
const prefix = 'alert#';

export function createMarkAlert(options: TableOptions): MarkAlert {
  const items = openTable(options);
  return async ({ kind, id }, { limit, period, percent }) => {
    const key: ItemKey = [`limit#${kind}#${id}`, 'now'];
    const name = prefix + limit;
    // Percentages of one period are compared as texts of one length.
    const level = `${period}:${`${percent}`.padStart(3, '0')}`;
    const mark = `${level}#${randomUUID().slice(0, 8)}`;
    const item = await items.update(key, {
      expression: 'SET #alert = :mark',
      condition:
        'attribute_exists(pk) AND (attribute_not_exists(#alert) OR NOT begins_with(#alert, :period) OR #alert < :level)',
      names: { '#alert': name },
      values: { ':period': `${period}:`, ':level': level, ':mark': mark },
    });
    if (item) return true;
    // A write whose answer was lost is repeated, and finds its own mark.
    const found = await items.get(key, { consistent: true });
    return found?.[name] === mark;
  };
}
