/** Which alerts of a scope were raised, on the item that counts its use: one attribute for each limit, with the last alert. */
import { randomUUID } from 'node:crypto';
import type { MarkAlert } from '../../../core/ports/alerts.ts';
import { type ItemKey, openTable, type TableOptions } from '../../dynamodb/table.ts';

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
