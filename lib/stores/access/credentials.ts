/**
 * Credentials of tenants for providers, in the access table. An item `credential#<tenant>#<account>` has those for one account, in the
 * order of their use; `credential-use#<id>` says when one was used last, and is all of it that requests may write.
 */
import * as z from 'zod/mini';
import { mapConcurrently } from '../../async/map-concurrently.ts';
import {
  type Credential,
  credentialFallbacks,
  credentialItemPrefix,
  credentialUseAttributes,
  credentialUsePrefix,
} from '../../core/credential.ts';
import { partitionKey } from '../../core/tables.ts';
import { isAbsent, openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import { toItemUpdate } from '../dynamodb/update-expression.ts';
import { editItem } from './edit-item.ts';

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

/** Absent: never, since it was made. */
const useSchema = z.object({
  last_used_at: z.exactOptional(z.number()),
  last_failed_at: z.exactOptional(z.number()),
  last_failure: z.exactOptional(z.string()),
} satisfies Record<(typeof credentialUseAttributes)[number], unknown>);

export type CredentialUse = z.infer<typeof useSchema>;

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

/** In the order of their use. */
type Credentials = readonly StoredCredential[];

export interface CredentialStore {
  /** Rejects for an item that is malformed: it must not look as if there were none. */
  list(tenant: string, account: string): Promise<Credentials>;
  /** `decide` gets them as they are, and may refuse the change by throwing. Rejects with GatewayError `conflict` as `editItem` does. */
  edit(tenant: string, account: string, decide: (credentials: Credentials) => Credentials): Promise<void>;
  /** In the order of the ids. */
  uses(ids: readonly string[]): Promise<readonly CredentialUse[]>;
  /** Of a new one: requests note its use only from then on. */
  startUse(id: string): Promise<void>;
  forgetUse(id: string): Promise<void>;
  noteUse(id: string, at: number): Promise<void>;
  noteFailure(id: string, at: number, reason: string): Promise<void>;
}

/** Reads at the same time. */
const readsAtOnce = 10;

export function createCredentialStore(options: TableOptions): CredentialStore {
  const items = openTable(options);
  const keyOf = (tenant: string, account: string) => `${credentialItemPrefix}${tenant}#${account}`;
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
      read(tenant, account, await items.get(keyOf(tenant, account), { consistent: true })),
    async edit(tenant, account, decide) {
      const key = keyOf(tenant, account);
      const decideItem = (item: StoredItem) => written(decide(read(tenant, account, item)));
      if (await editItem(items, key, decideItem)) return;
      await items.put(key, written([]), isAbsent);
      await editItem(items, key, decideItem);
    },
    uses: (ids) =>
      mapConcurrently(ids, readsAtOnce, async (id) =>
        useSchema.parse((await items.get(credentialUsePrefix + id)) ?? {}),
      ),
    async startUse(id) {
      await items.put(credentialUsePrefix + id, {});
    },
    async forgetUse(id) {
      await items.remove(credentialUsePrefix + id);
    },
    noteUse: (id, at) => note(id, used, { [used]: at }),
    noteFailure: (id, at, reason) => note(id, failed, { [failed]: at, [failure]: reason }),
  };
}

const read = (tenant: string, account: string, item: StoredItem | undefined): Credentials =>
  item ? itemSchema.parse(item).credentials.map((one) => ({ ...one, tenant, account })) : [];

const written = (credentials: Credentials): StoredItem => ({
  credentials: credentials.map(({ tenant: _, account: __, ...credential }) => credential),
});
