/** Calls of the functions to each table, by which CloudWatch counts faults of a table. */
import type { TableName } from '../../../lib/core/tables.ts';

export const callsOf: Readonly<Record<TableName, readonly string[]>> = {
  catalog: ['GetItem', 'Scan'],
  access: ['GetItem'],
  state: ['GetItem', 'PutItem'],
  usage: ['GetItem', 'PutItem', 'UpdateItem', 'Query'],
};
