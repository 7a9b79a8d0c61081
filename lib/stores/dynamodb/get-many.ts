/** Reads many items of a table by their keys, a hundred in a call. */
import { isJsonObject } from '../../core/formats/json-object.ts';
import { AwsError } from '../../core/ports/aws.ts';
import { fromItem, toItem } from './attribute-values.ts';
import { refuseLater } from './schema-version.ts';
import { type ItemKey, keyOf, type StoredItem, type TableOptions } from './table.ts';

/** Source: docs.aws.amazon.com DynamoDB, API_BatchGetItem. */
const maxKeys = 100;

/** Those that there are, in any order. May lack what was written in the last second. Refuses items of later versions with LaterItem. */
export async function getMany(
  options: TableOptions,
  keys: readonly ItemKey[],
): Promise<readonly StoredItem[]> {
  const chunks = Array.from({ length: Math.ceil(keys.length / maxKeys) }, (_, index) =>
    keys.slice(index * maxKeys, (index + 1) * maxKeys).map((key) => toItem(keyOf(key))),
  );
  const found = await Promise.all(chunks.map((chunk) => getChunk(options, chunk)));
  return found.flat().map((item) => refuseLater(fromItem(item)));
}

/** What one answer has no room for is asked for again. */
async function getChunk(
  { call, table }: TableOptions,
  keys: readonly unknown[],
): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let left = keys; left.length > 0; ) {
    const { Responses, UnprocessedKeys } = await call('DynamoDB_20120810.BatchGetItem', {
      RequestItems: { [table]: { Keys: left } },
    });
    found.push(...listIn(Responses, table));
    const unread = isJsonObject(UnprocessedKeys) ? UnprocessedKeys[table] : undefined;
    const again = listIn(unread, 'Keys');
    if (again.length === left.length)
      throw new AwsError('ProvisionedThroughputExceededException', 'No item was read.', 400);
    left = again;
  }
  return found;
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}
