/**
 * Puts several items in one call, for a process that serves many requests (group commit). A put waits for no other: it goes at the end of
 * its turn of the event loop, and what comes while a call is on its way goes with the next one. So a busy process writes many items
 * for one signature and one answer, each item for the same write units as by itself. No item has a condition.
 */
import { isJsonObject } from '../../core/formats/json-object.ts';
import { AwsError } from '../../core/ports/aws.ts';
import { partitionKey, sortKey } from '../../core/tables.ts';
import { fromItem, toItem } from './attribute-values.ts';
import { keyOf, type TableOptions } from './table.ts';

type Key = readonly [partition: string, sort: string];

/**
 * Rejects if it is not known that the item was written; it may have been. `fieldsOf` is asked when the item is sent. `instead`: an item
 * that is not needed beside this one.
 */
export type GroupPut = (key: Key, fieldsOf: () => object, instead?: Key) => Promise<void>;

/** Source: docs.aws.amazon.com DynamoDB, API_BatchWriteItem; with items of 400 KB at most, their bytes are within its limit, too. */
const maxItems = 25;

/** Beyond one, calls go while the one before is on its way only when as many items wait as a call takes. */
const maxCalls = 8;

interface Waiting {
  readonly key: Key;
  fieldsOf: () => object;
  readonly done: PromiseWithResolvers<void>;
}

export function createGroupPut({ call, table }: TableOptions): GroupPut {
  /** By key: a call may have each only once. */
  const waiting = new Map<string, Waiting>();
  let calls = 0;
  let isDue = false;

  const send = async (): Promise<void> => {
    isDue = false;
    while (waiting.size > 0 && (calls === 0 || (waiting.size >= maxItems && calls < maxCalls))) {
      const group = [...waiting].slice(0, maxItems);
      for (const [name] of group) waiting.delete(name);
      calls += 1;
      void putAll(call, table, new Map(group)).finally(() => {
        calls -= 1;
        send();
      });
    }
  };

  return (key, fieldsOf, instead) => {
    const name = nameOf(key);
    const known = waiting.get(name);
    if (known) {
      known.fieldsOf = fieldsOf;
      return known.done.promise;
    }
    const done = Promise.withResolvers<void>();
    waiting.set(name, { key, fieldsOf, done });
    const unneeded = instead && waiting.get(nameOf(instead));
    if (instead && unneeded) {
      waiting.delete(nameOf(instead));
      // It is needed all the same if this one is not written.
      unneeded.done.resolve(done.promise);
    }
    if (!isDue && (calls === 0 || waiting.size >= maxItems)) {
      isDue = true;
      setImmediate(send);
    }
    return done.promise;
  };
}

const nameOf = ([partition, sort]: Key): string => `${partition} ${sort}`;

/** Never rejects: each item has its own outcome. */
async function putAll(
  call: TableOptions['call'],
  table: string,
  group: ReadonlyMap<string, Waiting>,
): Promise<void> {
  const items = [...group.values()];
  try {
    const requests = items.map(({ key, fieldsOf }) => ({
      PutRequest: { Item: toItem({ ...fieldsOf(), ...keyOf(key) }) },
    }));
    const { UnprocessedItems } = await call('DynamoDB_20120810.BatchWriteItem', {
      RequestItems: { [table]: requests },
    });
    for (const name of namesIn(UnprocessedItems, table)) group.get(name)?.done.reject(unprocessed());
    for (const { done } of items) done.resolve();
  } catch (error) {
    for (const { done } of items) done.reject(error);
  }
}

const unprocessed = () =>
  new AwsError('ProvisionedThroughputExceededException', 'The item was not written.', 400);

function namesIn(unprocessedItems: unknown, table: string): readonly string[] {
  const requests = isJsonObject(unprocessedItems) ? unprocessedItems[table] : undefined;
  if (!Array.isArray(requests)) return [];
  return requests.map(({ PutRequest }) => {
    const { [partitionKey]: partition, [sortKey]: sort } = fromItem(PutRequest.Item);
    return nameOf([String(partition), String(sort)]);
  });
}
