/** Which alerts of a scope were raised, on the item that counts its use: one attribute for each limit, with the last alert. */
import type { MarkAlert } from '../../core/ports/alerts.ts';
import { openTable, type TableOptions } from '../dynamodb/table.ts';

/** Attributes of alerts begin with this. */
const prefix = 'alert#';

export function createMarkAlert(options: TableOptions): MarkAlert {
  const items = openTable(options);
  return async ({ kind, id }, { limit, period, percent }) => {
    const item = await items.update([`limit#${kind}#${id}`, 'now'], {
      expression: 'SET #alert = :mark',
      // Percentages of one period are compared as texts of one length.
      condition:
        'attribute_exists(pk) AND (attribute_not_exists(#alert) OR NOT begins_with(#alert, :period) OR #alert < :mark)',
      names: { '#alert': prefix + limit },
      values: { ':period': `${period}:`, ':mark': `${period}:${`${percent}`.padStart(3, '0')}` },
    });
    return item !== undefined;
  };
}
