/**
 * One DynamoDB table, as much of it as the stores use: single items by key, conditional writes, changes in place, ranges
 * of a partition, and whole-table scans for the few that need them. It knows the wire's action names; what an item means is the stores' business.
 */
import { type AwsCall, AwsError } from '../../core/ports.ts';
import { expiryAttribute, partitionKey, sortKey } from '../../core/tables.ts';
import { fromItem, toItem } from './attribute-values.ts';

export interface TableOptions {
  readonly call: AwsCall;
  /** The table's name. */
  readonly table: string;
}

/** A stored item as plain values; its key is among them. */
export type StoredItem = Readonly<Record<string, unknown>>;

/** The key of an item; in a sorted table both parts of it. */
export type ItemKey = string | readonly [partition: string, sort: string];

interface Expression {
  readonly expression: string;
  /** Attribute names, as `#name`. */
  readonly names?: Readonly<Record<string, string>>;
  /** Values as plain JavaScript, as `:name`. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** When a write may happen; else it does not, and says so. */
export type Condition = Expression;

/** What is done to an item, and when; an item that is not there is made. */
export interface Change extends Expression {
  readonly condition?: string;
  /** For what must not be done twice. Where the change rejects, it may have been done all the same. */
  readonly once?: boolean;
}

/** Sort keys, both inside. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
  readonly limit?: number;
  /** Unix seconds; what has expired by then is left out. */
  readonly aliveAt?: number;
}

export interface Table {
  /** `consistent`: sees every write that was over before, at twice the price. */
  get(key: ItemKey, read?: { readonly consistent: boolean }): Promise<StoredItem | undefined>;
  /** Writes a whole item; false where the condition did not hold. */
  put(key: ItemKey, fields: object, condition?: Condition): Promise<boolean>;
  /** Changes an item, and gives what it is then; undefined where the condition did not hold. */
  update(key: ItemKey, change: Change): Promise<StoredItem | undefined>;
  /** Removes an item, and gives what it was. */
  remove(key: ItemKey): Promise<StoredItem | undefined>;
  /** Sets one attribute of an item that exists, once: a value that is there stays. False where there is no such item. */
  setOnce(key: ItemKey, attribute: string, value: unknown): Promise<boolean>;
  /** Items of one partition in the order of their sort keys; sees every write that was over before. */
  query(partition: string, range: KeyRange): Promise<readonly StoredItem[]>;
  /** Every item whose key begins with `prefix`. Reads the whole table. */
  scan(prefix: string): Promise<readonly StoredItem[]>;
}

export function openTable({ call, table }: TableOptions): Table {
  const act: AwsCall = (action, input, options) =>
    call(`DynamoDB_20120810.${action}`, { TableName: table, ...input }, options);
  return {
    async get(key, { consistent } = { consistent: false }) {
      const { Item } = await act('GetItem', { Key: toItem(keyOf(key)), ConsistentRead: consistent });
      return Item === undefined ? undefined : fromItem(Item);
    },
    put: (key, fields, condition) =>
      tookPlace(
        act('PutItem', {
          Item: toItem({ ...fields, ...keyOf(key) }),
          ...(condition && { ConditionExpression: condition.expression, ...placeholders(condition) }),
        }),
      ),
    update: (key, change) => update(act, key, change),
    async remove(key) {
      const { Attributes } = await act('DeleteItem', { Key: toItem(keyOf(key)), ReturnValues: 'ALL_OLD' });
      return Attributes === undefined ? undefined : fromItem(Attributes);
    },
    setOnce: (key, attribute, value) =>
      tookPlace(
        act('UpdateItem', {
          Key: toItem(keyOf(key)),
          UpdateExpression: 'SET #attribute = if_not_exists(#attribute, :value)',
          ConditionExpression: 'attribute_exists(#key)',
          ExpressionAttributeNames: { '#attribute': attribute, '#key': partitionKey },
          ExpressionAttributeValues: toItem({ ':value': value }),
        }),
      ),
    query: (partition, range) => query(act, partition, range),
    scan: (prefix) =>
      gather(act, 'Scan', {
        FilterExpression: 'begins_with(#key, :prefix)',
        ExpressionAttributeNames: { '#key': partitionKey },
        ExpressionAttributeValues: toItem({ ':prefix': prefix }),
      }),
  };
}

function keyOf(key: ItemKey): Readonly<Record<string, string>> {
  if (typeof key === 'string') return { [partitionKey]: key };
  const [partition, sort] = key;
  return { [partitionKey]: partition, [sortKey]: sort };
}

const placeholders = ({ names, values }: Expression) => ({
  ...(names && { ExpressionAttributeNames: names }),
  ...(values && { ExpressionAttributeValues: toItem(values) }),
});

async function update(act: AwsCall, key: ItemKey, change: Change): Promise<StoredItem | undefined> {
  const { expression, condition, once = false } = change;
  const input = {
    Key: toItem(keyOf(key)),
    UpdateExpression: expression,
    ...(condition !== undefined && { ConditionExpression: condition }),
    ...placeholders(change),
    ReturnValues: 'ALL_NEW',
  };
  try {
    return fromItem((await act('UpdateItem', input, { once })).Attributes);
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
}

/** Whether a conditional write took place. */
async function tookPlace(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
}

const isRefused = (error: unknown) =>
  error instanceof AwsError && error.type === 'ConditionalCheckFailedException';

function query(act: AwsCall, partition: string, { from, to, limit, aliveAt }: KeyRange) {
  const isAlive = aliveAt !== undefined;
  const names = {
    '#partition': partitionKey,
    '#sort': sortKey,
    ...(isAlive && { '#expiry': expiryAttribute }),
  };
  const input = {
    KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
    ...(isAlive && { FilterExpression: '#expiry > :now' }),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: toItem({ ':partition': partition, ':from': from, ':to': to, ':now': aliveAt }),
    ConsistentRead: true,
  };
  return gather(act, 'Query', input, limit);
}

/** All that is found, or the first of it: the database gives only so much at once. */
async function gather(
  act: AwsCall,
  action: 'Query' | 'Scan',
  input: object,
  limit = Number.POSITIVE_INFINITY,
): Promise<readonly StoredItem[]> {
  const found: StoredItem[] = [];
  let start: unknown;
  do {
    const page = await act(action, {
      ...input,
      ...(Number.isFinite(limit) && { Limit: limit - found.length }),
      ...(start !== undefined && { ExclusiveStartKey: start }),
    });
    const items: readonly unknown[] = Array.isArray(page.Items) ? page.Items : [];
    found.push(...items.map(fromItem));
    start = page.LastEvaluatedKey;
  } while (start !== undefined && found.length < limit);
  return found;
}
