/**
 * The DynamoDB tables: one for each concern, so that the role of each function stays small. The CDK stack and the local gateway
 * create them, and so does `gateway setup` where there is neither; a function reads their names from these environment variables.
 */
export interface TableKind {
  readonly environmentVariable: string;
  readonly isSorted?: boolean;
  /** Its stream has the old and the new image of each item that changes. */
  readonly hasStream?: boolean;
}

export const tables = {
  /** Models, one item each, their names, and hosts that operators added. */
  catalog: { environmentVariable: 'CATALOG_TABLE' },
  /** Tenants and what they have, API keys and management keys. */
  access: { environmentVariable: 'ACCESS_TABLE' },
  /** State between requests, until it expires: stored responses and the shared cache. */
  state: { environmentVariable: 'STATE_TABLE' },
  /** The ledger, its daily counters, and the use of limits. This table has a sort key, and a stream that the aggregator follows. */
  usage: { environmentVariable: 'USAGE_TABLE', isSorted: true, hasStream: true },
  /** Files, uploads, batches and their jobs. It has a sort key. */
  files: { environmentVariable: 'FILES_TABLE', isSorted: true },
} as const satisfies Readonly<Record<string, TableKind>>;

export type TableName = keyof typeof tables;

export const tableNames = Object.keys(tables) as readonly TableName[];

export const kindOf = (name: TableName): TableKind => tables[name];

/** The partition key of every table, a string. */
export const partitionKey = 'pk';

/** The sort key of the tables that have one, a string. */
export const sortKey = 'sk';

/** The attribute with an item's expiry in Unix seconds. DynamoDB deletes late, so readers filter by time. */
export const expiryAttribute = 'expires_at';

/** The prefix of the partition keys of API keys, in the table `access`. */
export const keyItemPrefix = 'key#';

/** The prefix of those of tenants, in the same table. */
export const tenantItemPrefix = 'tenant#';

/**
 * What an item of the table `state` is, the first part of its partition key before `#`: a note of the cache that all processes share, a
 * stored response or a part of one, an answer that is kept for a request that is sent again, an answer that is cached for equal requests, a
 * stream that can be resumed, an event for a webhook, a session of the dashboard, or a one-time token that opens one. `run`: of responses, only what is kept of one that is
 * created in the background, without its parts.
 */
export type StateItem =
  | 'answer'
  | 'cached'
  | 'note'
  | 'response'
  | 'run'
  | 'session'
  | 'stream'
  | 'ticket'
  | 'webhook';

/** The beginnings of the keys of such items; `*` stands for any text. */
export const beginningOf = (item: StateItem): string => (item === 'run' ? 'response#*#run' : `${item}#`);

/** The attributes of a tenant that functions may update: how much of its credit was used. `credit` is compared only. */
export const creditAttributes = ['credit', 'grants', 'unallocated'] as const;

/** The only attribute of an API key that functions may update: its last use, in Unix seconds. */
export const lastUsedAttribute = 'last_used_at';
