/**
 * The DynamoDB tables: one for each concern, so that each function's role stays small. The CDK stack creates them, the
 * local gateway creates them, and a function finds their names in these environment variables.
 */
export const tables = {
  /** Models, one item each. */
  catalog: { environmentVariable: 'CATALOG_TABLE' },
  /** Tenants and their API keys. */
  access: { environmentVariable: 'ACCESS_TABLE' },
  /** What the gateway remembers between requests, until it expires. */
  state: { environmentVariable: 'STATE_TABLE' },
  /** The ledger, its daily sums, and what of the limits is used up. Items of one partition are in an order. */
  usage: { environmentVariable: 'USAGE_TABLE', isSorted: true },
} as const;

export type TableName = keyof typeof tables;

/** The partition key of every table, a string. */
export const partitionKey = 'pk';

/** The sort key, a string, of the tables that have one. */
export const sortKey = 'sk';

/** The attribute that holds an item's expiry in Unix seconds. Deletion is lazy: readers filter by time. */
export const expiryAttribute = 'expires_at';

/** With what the partition keys of API keys begin, in the table `access`. */
export const keyItemPrefix = 'key#';

/** The attribute of an API key that functions may write: when it was last used, in Unix seconds. */
export const lastUsedAttribute = 'last_used_at';
