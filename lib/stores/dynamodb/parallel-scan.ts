/**
 * Reads a whole table in parts at the same time, for lists that people look at. It costs half a read unit for each 4 KB of the table, whatever is
 * found in it, so it is for small tables only.
 */
import { partitionKey } from '../../core/tables.ts';
import { fromItem, toItem } from './attribute-values.ts';
import type { Condition, StoredItem, TableOptions } from './table.ts';

/** Parts of a table that are read at the same time. */
export const scanSegments = 4;

export interface Scan {
  /** What the keys of the items start with. */
  readonly prefix: string;
  /** Only items for which this holds. */
  readonly filter?: Condition | undefined;
  /** The maximum number of items: for more, the scan stops and gives one more than that. */
  readonly max: number;
  /** Of what is written already. It costs twice as much. */
  readonly consistent?: boolean;
}

/** In no order. Items that a later version wrote are among them. */
export async function scanInParallel(
  { call, table }: TableOptions,
  { prefix, filter, max, consistent = false }: Scan,
): Promise<readonly StoredItem[]> {
  const input = {
    TableName: table,
    TotalSegments: scanSegments,
    ...(consistent && { ConsistentRead: true }),
    FilterExpression: ['begins_with(#key, :prefix)', ...(filter ? [filter.expression] : [])].join(' AND '),
    ExpressionAttributeNames: { '#key': partitionKey, ...filter?.names },
    ExpressionAttributeValues: toItem({ ':prefix': prefix, ...filter?.values }),
  };
  const found: StoredItem[] = [];
  const readSegment = async (segment: number) => {
    let start: unknown;
    do {
      const page = await call('DynamoDB_20120810.Scan', {
        ...input,
        Segment: segment,
        ...(start !== undefined && { ExclusiveStartKey: start }),
      });
      const items: readonly unknown[] = Array.isArray(page.Items) ? page.Items : [];
      for (const item of items) found.push(fromItem(item));
      start = page.LastEvaluatedKey;
    } while (start !== undefined && found.length <= max);
  };
  await Promise.all(Array.from({ length: scanSegments }, (_, segment) => readSegment(segment)));
  return found.slice(0, max + 1);
}
