/**
 * Reads a whole table in parts at the same time, for lists that people look at. It costs half a read unit for each 4 KB of the table, whatever is
 * found in it, so it is for small tables only.
 */
import { partitionKey } from '../../core/tables.ts';
import { fromItem, toItem } from './attribute-values.ts';
import type { Condition, StoredItem, TableOptions } from './table.ts';

/** Parts of a table that are read at the same time. */
export const scanSegments = 4;

interface Scan {
  /** What the keys of the items start with. */
  readonly prefix: string;
  /** Only items for which this holds. */
  readonly filter?: Condition | undefined;
  /** Of what is written already. It costs twice as much. */
  readonly consistent?: boolean;
}

interface BoundedScan extends Scan {
  /** The maximum number of items: for more, the scan stops and gives one more than that. */
  readonly max: number;
}

/** In no order. Items that a later version wrote are among them. */
export async function scanInParallel(
  options: TableOptions,
  { max, ...scan }: BoundedScan,
): Promise<readonly StoredItem[]> {
  const found: StoredItem[] = [];
  await scanEach(options, scan, (items) => {
    for (const item of items) found.push(item);
    return found.length <= max;
  });
  return found.slice(0, max + 1);
}

/** The same in pages of at most 1 MB, until one of them is the last that is wanted. */
export async function scanEach(
  { call, table }: TableOptions,
  { prefix, filter, consistent = false }: Scan,
  goesOnAfter: (items: readonly StoredItem[]) => boolean,
): Promise<void> {
  const input = {
    TableName: table,
    TotalSegments: scanSegments,
    ...(consistent && { ConsistentRead: true }),
    FilterExpression: ['begins_with(#key, :prefix)', ...(filter ? [filter.expression] : [])].join(' AND '),
    ExpressionAttributeNames: { '#key': partitionKey, ...filter?.names },
    ExpressionAttributeValues: toItem({ ':prefix': prefix, ...filter?.values }),
  };
  let goesOn = true;
  const readSegment = async (segment: number) => {
    let start: unknown;
    do {
      const page = await call('DynamoDB_20120810.Scan', {
        ...input,
        Segment: segment,
        ...(start !== undefined && { ExclusiveStartKey: start }),
      });
      const items: readonly unknown[] = Array.isArray(page.Items) ? page.Items : [];
      goesOn = goesOnAfter(items.map(fromItem)) && goesOn;
      start = page.LastEvaluatedKey;
    } while (start !== undefined && goesOn);
  };
  await Promise.all(Array.from({ length: scanSegments }, (_, segment) => readSegment(segment)));
}
