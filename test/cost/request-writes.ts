/** What a request writes to the usage table while its caller waits, from the calls that a database has seen. */
import * as sizes from '../../cli/cost/sizes.ts';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import type { FaultyStore } from '../harness/store-faults.ts';

export interface SeenCall {
  /** For example `usage PutItem`. */
  readonly name: string;
  readonly body: string;
}

/** The calls from now on. Items that are put together cost as much as each by itself, and count so. */
export function watchCalls(store: Pick<FaultyStore, 'setFaults'>): readonly SeenCall[] {
  const calls: SeenCall[] = [];
  store.setFaults((action, table, body) => {
    if (action === 'BatchWriteItem') calls.push(...putsIn(table, body));
    else calls.push({ name: `${table} ${action}`, body });
    return undefined;
  });
  return calls;
}

function putsIn(table: string, body: string): readonly SeenCall[] {
  const requests: readonly { readonly PutRequest: object }[] = JSON.parse(body).RequestItems[table];
  return requests.map(({ PutRequest }) => ({ name: `${table} PutItem`, body: JSON.stringify(PutRequest) }));
}

/** The aggregator's calls come after the answer, and name what only it writes. Its reads look like those of a request. */
export const isLater = ({ name, body }: SeenCall) =>
  name === 'usage Query' || /"(sweep|count|open)#|seen#|alert#|"S":"(sums"|positions"|alert-log)/.test(body);

export const writesOf = (calls: readonly SeenCall[]) =>
  calls.filter((call) => /^usage (Put|Update)Item$/.test(call.name) && !isLater(call));

/** In bytes, of the items of the usage table whose key begins so. */
export async function sizesOf(call: AwsCall, prefix: string): Promise<readonly number[]> {
  const { Items } = await call('DynamoDB_20120810.Scan', {
    TableName: 'usage',
    FilterExpression: 'begins_with(pk, :prefix)',
    ExpressionAttributeValues: { ':prefix': { S: prefix } },
  });
  return (Array.isArray(Items) ? Items : []).map(itemSize);
}

/** The write units of these calls. An update is charged for its whole item: that of the largest pool. */
export async function unitsOf(call: AwsCall, calls: readonly SeenCall[]): Promise<number> {
  const limits = Math.max(0, ...(await sizesOf(call, 'limit#')));
  return writesOf(calls).reduce((sum, { name, body }) => {
    const bytes = name.endsWith('PutItem') ? itemSize(JSON.parse(body).Item) : limits;
    return sum + Math.ceil(bytes / sizes.writeUnit);
  }, 0);
}

type Value = Readonly<Record<string, unknown>>;

/** The size of an item as DynamoDB counts it: names and values, numbers by digits, an overhead for each list and map. */
export const itemSize = (item: Readonly<Record<string, Value>>): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueSize(value), 0);

const envelope = 3;

function valueSize(value: Value): number {
  const [type = '', held] = Object.entries(value)[0] ?? [];
  if (type === 'N') return Math.ceil(String(held).replaceAll(/\D/g, '').length / 2) + 1;
  if (type === 'B') return Buffer.from(String(held), 'base64').length;
  if (type === 'M' && isMap(held)) return envelope + itemSize(held) + Object.keys(held).length;
  if (type === 'L' && Array.isArray(held))
    return held.reduce((sum, one) => sum + 1 + valueSize(one), envelope);
  if (type === 'S') return Buffer.byteLength(String(held));
  return 1;
}

const isMap = (value: unknown): value is Readonly<Record<string, Value>> =>
  typeof value === 'object' && value !== null;
