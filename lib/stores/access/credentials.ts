/**
 * Credentials of tenants for providers, in the access table. An item `credential#<tenant>#<account>` has those for one account, in the
 * order of their use; `credential-use#<id>` says when one was used last, and is all of it that requests may write.
 */
import * as z from 'zod/mini';
import {
  type Credential,
  credentialFallbacks,
  credentialItemPrefix,
  credentialUseAttributes,
  credentialUsePrefix,
} from '../../core/credential.ts';
import { partitionKey } from '../../core/tables.ts';
import { openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import { toItemUpdate } from '../dynamodb/update-expression.ts';

/** Times are Unix seconds. */
export interface StoredCredential extends Credential {
  readonly createdAt: number;
  readonly disabledAt?: number;
  /** What people call it. */
  readonly name?: string;
  /** The last four characters of the secret, and a hash of it that is of use to no one. */
  readonly last4: string;
  readonly fingerprint: string;
  /** Of its settings, those that are no secret. */
  readonly shown: Readonly<Record<string, string>>;
}

export interface CredentialUse {
  readonly usedAt?: number;
  readonly failedAt?: number;
  readonly failure?: string;
}

const credentialSchema = z.object({
  id: z.string(),
  name: z.exactOptional(z.string()),
  fallback: z.enum(credentialFallbacks),
  sealed: z.string(),
  models: z.exactOptional(z.array(z.string())),
  keys: z.exactOptional(z.array(z.string())),
  collectsData: z.exactOptional(z.boolean()),
  retainsData: z.exactOptional(z.boolean()),
  createdAt: z.number(),
  disabledAt: z.exactOptional(z.number()),
  last4: z.string(),
  fingerprint: z.string(),
  shown: z.record(z.string(), z.string()),
});

const itemSchema = z.object({ credentials: z.array(credentialSchema) });

export const credentialsKey = (tenant: string, account: string): string =>
  `${credentialItemPrefix}${tenant}#${account}`;

/** Throws for an item that is malformed: it must not look as if there were none. */
export function readCredentials(
  tenant: string,
  account: string,
  item: StoredItem | undefined,
): readonly StoredCredential[] {
  if (!item) return [];
  return itemSchema.parse(item).credentials.map((credential) => ({ ...credential, tenant, account }));
}

export const writeCredentials = (credentials: readonly StoredCredential[]): StoredItem => ({
  credentials: credentials.map(({ tenant: _, account: __, ...credential }) => credential),
});

/** What requests do with them. */
export interface CredentialStore {
  list(tenant: string, account: string): Promise<readonly StoredCredential[]>;
  noteUse(id: string, at: number): Promise<void>;
  noteFailure(id: string, at: number, reason: string): Promise<void>;
}

export function createCredentialStore(options: TableOptions): CredentialStore {
  const items = openTable(options);
  const [used, failed, failure] = credentialUseAttributes;
  /** What is older than what is there is not written, nor what is of one that was removed. */
  const note = async (id: string, at: string, set: Readonly<Record<string, string | number>>) => {
    const fields = Object.entries(set).map(([name, value]) => [[name], value] as const);
    const isLater = { path: [at], absentOr: '<', value: set[at] } as const;
    const where = [{ path: [partitionKey], exists: true }, isLater];
    const update = { ...toItemUpdate({ set: fields, where }), onlyChanged: true };
    await items.update(credentialUsePrefix + id, update);
  };
  return {
    list: async (tenant, account) =>
      readCredentials(tenant, account, await items.get(credentialsKey(tenant, account))),
    noteUse: (id, at) => note(id, used, { [used]: at }),
    noteFailure: (id, at, reason) => note(id, failed, { [failed]: at, [failure]: reason }),
  };
}
