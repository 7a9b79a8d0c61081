/**
 * One DynamoDB table, as much of it as the stores use: single items by key, conditional writes, and whole-table scans
 * for the few that need them. It knows the wire's action names; what an item means is the stores' business.
 */
import { type AwsCall, AwsError } from '../core/ports.ts';
import { partitionKey } from '../core/tables.ts';
import { fromItem, toItem } from './attribute-values.ts';

export interface TableOptions {
  readonly call: AwsCall;
  /** The table's name. */
  readonly table: string;
}

/** A stored item as plain values; its key is among them. */
export type StoredItem = Readonly<Record<string, unknown>>;

/** When a write may happen; else it does not, and says so. Attribute names are given as `#name`. */
export interface Condition {
  readonly expression: string;
  readonly names?: Readonly<Record<string, string>>;
  /** Values as plain JavaScript, named `:name`. */
  readonly values?: Readonly<Record<string, unknown>>;
}

export interface Table {
  /** `consistent`: sees every write that was over before, at twice the price. */
  get(key: string, read?: { readonly consistent: boolean }): Promise<StoredItem | undefined>;
  /** Writes a whole item; false where the condition did not hold. */
  put(key: string, fields: object, condition?: Condition): Promise<boolean>;
  /** Removes an item, and gives what it was. */
  remove(key: string): Promise<StoredItem | undefined>;
  /** Sets one attribute of an item that exists, once: a value that is there stays. False where there is no such item. */
  setOnce(key: string, attribute: string, value: unknown): Promise<boolean>;
  /** Every item whose key begins with `prefix`. Reads the whole table. */
  scan(prefix: string): Promise<readonly StoredItem[]>;
}

export function openTable({ call, table }: TableOptions): Table {
  const act = (action: string, input: object) =>
    call(`DynamoDB_20120810.${action}`, { TableName: table, ...input });
  const keyOf = (key: string) => toItem({ [partitionKey]: key });
  return {
    async get(key, { consistent } = { consistent: false }) {
      const { Item } = await act('GetItem', { Key: keyOf(key), ConsistentRead: consistent });
      return Item === undefined ? undefined : fromItem(Item);
    },
    put: (key, fields, condition) =>
      tookPlace(
        act('PutItem', {
          Item: toItem({ ...fields, [partitionKey]: key }),
          ...(condition && conditionInput(condition)),
        }),
      ),
    async remove(key) {
      const { Attributes } = await act('DeleteItem', { Key: keyOf(key), ReturnValues: 'ALL_OLD' });
      return Attributes === undefined ? undefined : fromItem(Attributes);
    },
    setOnce: (key, attribute, value) =>
      tookPlace(
        act('UpdateItem', {
          Key: keyOf(key),
          UpdateExpression: 'SET #attribute = if_not_exists(#attribute, :value)',
          ConditionExpression: 'attribute_exists(#key)',
          ExpressionAttributeNames: { '#attribute': attribute, '#key': partitionKey },
          ExpressionAttributeValues: toItem({ ':value': value }),
        }),
      ),
    scan: (prefix) => scanAll(act, prefix),
  };
}

const conditionInput = ({ expression, names, values }: Condition) => ({
  ConditionExpression: expression,
  ...(names && { ExpressionAttributeNames: names }),
  ...(values && { ExpressionAttributeValues: toItem(values) }),
});

/** Whether a conditional write took place. */
async function tookPlace(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof AwsError && error.type === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}

async function scanAll(act: AwsCall, prefix: string): Promise<readonly StoredItem[]> {
  const found: StoredItem[] = [];
  let start: unknown;
  do {
    const page = await act('Scan', {
      FilterExpression: 'begins_with(#key, :prefix)',
      ExpressionAttributeNames: { '#key': partitionKey },
      ExpressionAttributeValues: toItem({ ':prefix': prefix }),
      ...(start !== undefined && { ExclusiveStartKey: start }),
    });
    const items: readonly unknown[] = Array.isArray(page.Items) ? page.Items : [];
    found.push(...items.map(fromItem));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return found;
}
