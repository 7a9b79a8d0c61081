/**
 * One DynamoDB table with the operations that the stores use: single items by key, conditional writes, updates, ranges of
 * a partition, and whole-table scans. It knows the action names of the DynamoDB API, but not what an item means.
 */
import { type AwsCall, AwsError } from '../../core/ports/aws.ts';
import { partitionKey, sortKey } from '../../core/tables.ts';
import { fromItem, toItem } from './attribute-values.ts';
import { notLater, refuseLater } from './schema-version.ts';

export interface TableOptions {
  readonly call: AwsCall;
  /** The table's name. */
  readonly table: string;
}

/** A stored item as plain values, including its key. */
export type StoredItem = Readonly<Record<string, unknown>>;

/** The key of an item; in a table with a sort key, both parts of it. */
export type ItemKey = string | readonly [partition: string, sort: string];

interface Expression {
  readonly expression: string;
  /** Attribute names, as `#name`. */
  readonly names?: Readonly<Record<string, string>>;
  /** Values as plain JavaScript, as `:name`. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** The write takes place only if this holds. */
export type Condition = Expression;

/** Of a write that makes an item. */
export const isAbsent: Condition = {
  expression: 'attribute_not_exists(#key)',
  names: { '#key': partitionKey },
};

/** Creates the item if it does not exist. Does nothing if `condition` does not hold, or a later version wrote the item. */
export interface ItemUpdate extends Expression {
  /** An OR of its own is in parentheses: further conditions are added with AND. DynamoDB refuses parentheses around parentheses. */
  readonly condition?: string;
  /** The update must not be applied twice. If it rejects, it may still have been applied. */
  readonly once?: boolean;
  /** The role that writes may not see the whole item: what returns are the attributes that changed. */
  readonly onlyChanged?: boolean;
}

/** Sort keys; both ends are included. */
interface KeyRange {
  readonly from: string;
  readonly to: string;
  readonly limit?: number;
  /** From the highest sort key down. */
  readonly newestFirst?: boolean;
  /** Only items for which this holds. They are all read, and charged for. */
  readonly filter?: Condition;
  /** May lack what was written in the last second, and costs half as much. */
  readonly mayLag?: boolean;
  /** The attributes that are sent, beside the key; absent: all. It is charged for as all. */
  readonly only?: readonly string[];
}

/** What is read by its key, or by a range of keys, is refused with LaterItem if a later version wrote it; `scan` returns it. */
export interface Table {
  /** `consistent`: a strongly consistent read, which costs twice as much. */
  get(key: ItemKey, read?: { readonly consistent: boolean }): Promise<StoredItem | undefined>;
  /** Writes a whole item. Returns false if the condition did not hold. */
  put(key: ItemKey, fields: object, condition?: Condition): Promise<boolean>;
  /** Updates an item and returns the new item, or undefined if the condition did not hold. */
  update(key: ItemKey, change: ItemUpdate): Promise<StoredItem | undefined>;
  /** Removes an item and returns it. */
  remove(key: ItemKey): Promise<StoredItem | undefined>;
  /** Removes an item. Returns false if the condition did not hold. */
  removeIf(key: ItemKey, condition: Condition): Promise<boolean>;
  /** Sets one attribute of an existing item unless it already has a value. Returns false if there is no such item. */
  setOnce(key: ItemKey, attribute: string, value: unknown): Promise<boolean>;
  /** Sets one attribute of an existing item. Returns false if there is no such item. */
  set(key: ItemKey, attribute: string, value: unknown): Promise<boolean>;
  /** Sets one number of an existing item unless it already has one as high. Returns false if nothing is set. */
  raise(key: ItemKey, attribute: string, value: number): Promise<boolean>;
  /** Items of one partition, ordered by sort key. A strongly consistent read, unless the range says otherwise. */
  query(partition: string, range: KeyRange): Promise<readonly StoredItem[]>;
  /** Every item whose key starts with `prefix`. Reads the whole table. */
  scan(prefix: string): Promise<readonly StoredItem[]>;
  /** The partition keys of the same items. Asks for no other attribute. */
  scanKeys(prefix: string): Promise<readonly string[]>;
}

export function openTable({ call, table }: TableOptions): Table {
  const act: AwsCall = (action, input, options) =>
    call(`DynamoDB_20120810.${action}`, { TableName: table, ...input }, options);
  return {
    async get(key, { consistent } = { consistent: false }) {
      const { Item } = await act('GetItem', { Key: toItem(keyOf(key)), ConsistentRead: consistent });
      return Item === undefined ? undefined : refuseLater(fromItem(Item));
    },
    put: (key, fields, condition) =>
      isApplied(
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
    removeIf: (key, condition) =>
      isApplied(
        act('DeleteItem', {
          Key: toItem(keyOf(key)),
          ConditionExpression: condition.expression,
          ...placeholders(condition),
        }),
      ),
    setOnce: (key, attribute, value) =>
      assign(act, key, { attribute, value, operand: 'if_not_exists(#attribute, :value)' }),
    set: (key, attribute, value) => assign(act, key, { attribute, value, operand: ':value' }),
    raise: (key, attribute, value) =>
      assign(act, key, {
        attribute,
        value,
        operand: ':value',
        condition: '(attribute_not_exists(#attribute) OR #attribute < :value)',
      }),
    query: (partition, range) => query(act, partition, range),
    scan: (prefix) => readPages(act, 'Scan', startingWith(prefix)),
    async scanKeys(prefix) {
      const projection = { Select: 'SPECIFIC_ATTRIBUTES', ProjectionExpression: '#key' };
      const items = await readPages(act, 'Scan', { ...startingWith(prefix), ...projection });
      return items.map((item) => String(item[partitionKey]));
    },
  };
}

const startingWith = (prefix: string) => ({
  FilterExpression: 'begins_with(#key, :prefix)',
  ExpressionAttributeNames: { '#key': partitionKey },
  ExpressionAttributeValues: toItem({ ':prefix': prefix }),
});

export function keyOf(key: ItemKey): Readonly<Record<string, string>> {
  if (typeof key === 'string') return { [partitionKey]: key };
  const [partition, sort] = key;
  return { [partitionKey]: partition, [sortKey]: sort };
}

const placeholders = ({ names, values }: Expression) => ({
  ...(names && { ExpressionAttributeNames: names }),
  ...(values && { ExpressionAttributeValues: toItem(values) }),
});

async function update(act: AwsCall, key: ItemKey, change: ItemUpdate): Promise<StoredItem | undefined> {
  const { expression, once = false, onlyChanged = false } = change;
  // A role that may not see the whole item may not see its form either.
  const guarded = onlyChanged ? change : whereNotLater(change);
  const { condition } = guarded;
  const input = {
    Key: toItem(keyOf(key)),
    UpdateExpression: expression,
    ...(condition !== undefined && { ConditionExpression: condition }),
    ...placeholders(guarded),
    ReturnValues: onlyChanged ? 'UPDATED_NEW' : 'ALL_NEW',
  };
  try {
    return fromItem((await act('UpdateItem', input, { once })).Attributes);
  } catch (error) {
    if (isConditionFailure(error)) return undefined;
    throw error;
  }
}

const whereNotLater = ({ condition, names, values, ...change }: ItemUpdate): ItemUpdate => ({
  ...change,
  condition: condition ? `${condition} AND (${notLater.expression})` : notLater.expression,
  names: { ...names, ...notLater.names },
  values: { ...values, ...notLater.values },
});

interface Assignment {
  readonly attribute: string;
  readonly value: unknown;
  /** An operand with `#attribute` and `:value`. */
  readonly operand: string;
  /** Beside that the item exists. */
  readonly condition?: string;
}

/** Sets an attribute of an existing item, and reads nothing of it. Returns false if its condition does not hold. */
function assign(
  act: AwsCall,
  key: ItemKey,
  { attribute, value, operand, condition }: Assignment,
): Promise<boolean> {
  return isApplied(
    act('UpdateItem', {
      Key: toItem(keyOf(key)),
      UpdateExpression: `SET #attribute = ${operand}`,
      ConditionExpression: ['attribute_exists(#key)', ...(condition ? [condition] : [])].join(' AND '),
      ExpressionAttributeNames: { '#attribute': attribute, '#key': partitionKey },
      ExpressionAttributeValues: toItem({ ':value': value }),
    }),
  );
}

/** Whether the condition of a write held, so that it was applied. */
async function isApplied(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isConditionFailure(error)) return false;
    throw error;
  }
}

const isConditionFailure = (error: unknown) =>
  error instanceof AwsError && error.type === 'ConditionalCheckFailedException';

async function query(act: AwsCall, partition: string, range: KeyRange) {
  const { from, to, limit, filter, newestFirst = false, mayLag = false, only } = range;
  const input = {
    KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
    ...(filter && { FilterExpression: filter.expression }),
    ...(only && { ProjectionExpression: ['#partition', '#sort', ...only.map((_, at) => `#o${at}`)].join() }),
    ExpressionAttributeNames: {
      '#partition': partitionKey,
      '#sort': sortKey,
      ...filter?.names,
      ...(only && Object.fromEntries(only.map((name, at) => [`#o${at}`, name]))),
    },
    ExpressionAttributeValues: toItem({
      ':partition': partition,
      ':from': from,
      ':to': to,
      ...filter?.values,
    }),
    ConsistentRead: !mayLag,
    ...(newestFirst && { ScanIndexForward: false }),
  };
  return (await readPages(act, 'Query', input, limit)).map(refuseLater);
}

/** Reads page after page, up to `limit` items. */
async function readPages(
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
