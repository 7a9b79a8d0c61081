/** Keys and tenants that are made when they are read: as many as one likes, and none needs to be stored. */
import { keyItemPrefix, partitionKey, tenantItemPrefix } from '../../../lib/core/tables.ts';
import { toItem } from '../../../lib/stores/dynamodb/attribute-values.ts';

/** Names the tenant of a key by the first digits of its hash. */
const tenantPrefix = 'turn-';
const digits = 16;

const created_at = 1_750_000_000;

/** The answer of GetItem to a request; undefined if it asks for something else. */
export function anyKeyItem(body: string): string | undefined {
  const key = JSON.parse(body).Key?.[partitionKey]?.S;
  if (typeof key !== 'string') return undefined;
  const fields = fieldsOf(key);
  return fields && JSON.stringify({ Item: toItem({ [partitionKey]: key, created_at, ...fields }) });
}

function fieldsOf(key: string): object | undefined {
  if (key.startsWith(keyItemPrefix)) {
    const hash = key.slice(keyItemPrefix.length);
    return { tenant: tenantPrefix + hash.slice(0, digits) };
  }
  return key.startsWith(tenantItemPrefix + tenantPrefix) ? {} : undefined;
}
