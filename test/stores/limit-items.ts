/** What the tests of limits share: scopes of their own, requests of known amounts, and the items that limits are kept in. */
import { randomUUID } from 'node:crypto';
import type { LimitScope, Wanted } from '../../lib/core/accounting/limits.ts';
import type { AwsCall } from '../../lib/core/ports/aws.ts';

/** A scope that no other test uses. */
export const newScope = (): LimitScope => ({ kind: 'tenant', id: randomUUID() });

/** A request whose amounts are known: without flexible output. `at`: Unix milliseconds. */
export const wantedAt = (at: number, amount = 0, tokens = 0): Wanted => ({
  id: randomUUID(),
  at,
  fixed: { tokens, amount },
  perOutputToken: { tokens: 0, amount: 0 },
  output: { max: 0, min: 0 },
});

type Item = Readonly<Record<string, object>>;

/** By its partition key, with types of values. Empty if there is none. */
export async function storedItem(call: AwsCall, name: string): Promise<Item> {
  const key = { pk: { S: name }, sk: { S: 'now' } };
  const { Item: item } = await call('DynamoDB_20120810.GetItem', { TableName: 'usage', Key: key });
  return { ...(item as object) };
}

/** The size of an item as DynamoDB counts it: names, texts, numbers of two digits a byte, and what is nested. */
export function sizeOf(item: object): number {
  return Object.entries(item).reduce((total, [name, value]) => {
    const [type, content] = Object.entries(value)[0] ?? [];
    const text = typeof content === 'string' ? content : '';
    const nested = typeof content === 'object' && content !== null ? 3 + sizeOf(content) : 1;
    const size = { S: text.length, N: Math.ceil(text.length / 2) + 1 }[type ?? ''] ?? nested;
    return total + name.length + size;
  }, 0);
}
