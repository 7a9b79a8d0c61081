/** What people do with the credentials of tenants. Apart from `credentials.ts`, which requests load. */
import { mapConcurrently } from '../../async/map-concurrently.ts';
import { credentialUseAttributes, credentialUsePrefix } from '../../core/credential.ts';
import { isAbsent, openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import {
  type CredentialUse,
  credentialsKey,
  readCredentials,
  type StoredCredential,
  writeCredentials,
} from './credentials.ts';
import { editItem } from './edit-item.ts';

type Credentials = readonly StoredCredential[];

export interface CredentialEdits {
  list(tenant: string, account: string): Promise<Credentials>;
  /** `decide` gets them as they are, and may refuse the change by throwing. Rejects with GatewayError `conflict` as `editItem` does. */
  edit(tenant: string, account: string, decide: (credentials: Credentials) => Credentials): Promise<void>;
  /** In the order of the ids. */
  uses(ids: readonly string[]): Promise<readonly CredentialUse[]>;
  /** Of a new one: requests note its use only from then on. */
  startUse(id: string): Promise<void>;
  forgetUse(id: string): Promise<void>;
}

/** Reads at the same time. */
const readsAtOnce = 10;

export function createCredentialEdits(options: TableOptions): CredentialEdits {
  const items = openTable(options);
  return {
    list: async (tenant, account) =>
      readCredentials(
        tenant,
        account,
        await items.get(credentialsKey(tenant, account), { consistent: true }),
      ),
    async edit(tenant, account, decide) {
      const key = credentialsKey(tenant, account);
      const decideItem = (item: StoredItem) =>
        writeCredentials(decide(readCredentials(tenant, account, item)));
      if (await editItem(items, key, decideItem)) return;
      await items.put(key, writeCredentials([]), isAbsent);
      await editItem(items, key, decideItem);
    },
    uses: (ids) =>
      mapConcurrently(ids, readsAtOnce, async (id) => {
        const item = await items.get(credentialUsePrefix + id);
        return item ? useOf(item) : {};
      }),
    async startUse(id) {
      await items.put(credentialUsePrefix + id, {});
    },
    async forgetUse(id) {
      await items.remove(credentialUsePrefix + id);
    },
  };
}

function useOf(item: StoredItem): CredentialUse {
  const [usedAt, failedAt, failure] = credentialUseAttributes.map((name) => item[name]);
  return {
    ...(typeof usedAt === 'number' && { usedAt }),
    ...(typeof failedAt === 'number' && { failedAt }),
    ...(typeof failure === 'string' && { failure }),
  };
}
