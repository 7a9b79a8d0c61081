/** The tenants and keys of the gateway that runs in this process, for the tests of a file. */
import { createKeyEdits, type KeyEdits } from '../../lib/stores/access/key-edits.ts';
import { createKeyStore, type KeyStore, type NewApiKey } from '../../lib/stores/access/keys.ts';
import { createTenantEdits } from '../../lib/stores/access/tenant-edits.ts';
import { createTenantStore, type TenantStore } from '../../lib/stores/access/tenants.ts';
import type { TableOptions } from '../../lib/stores/dynamodb/table.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { databaseEndpoint } from './gateways/environment.ts';
import { use } from './use.ts';

interface TestAccess {
  keys(): KeyStore;
  keyEdits(): KeyEdits;
  tenants(): TenantStore;
  disable(id: string): Promise<unknown>;
  suspend(tenant: string): Promise<unknown>;
  /** A new key, as the header that a caller sends. Its tenant is a new one unless named. */
  newKey(key?: Partial<NewApiKey>): Promise<{ readonly id: string; readonly authorization: string }>;
}

/** Call it after what starts the gateway. */
export function useAccess(): TestAccess {
  const database = use(() => connectDatabase(databaseEndpoint()));
  const access = () => ({ call: database.call, table: 'access' });
  const keys = () => createKeyStore(access());
  let tenants = 0;
  return {
    keys,
    keyEdits: () => createKeyEdits(access()),
    tenants: () => createTenantStore(access()),
    disable: (id) => disableKey(access(), id),
    suspend: (tenant) => suspendTenant(access(), tenant),
    async newKey(key = {}) {
      tenants += 1;
      const { id, secret } = await keys().create({ tenant: `tenant-${tenants}`, ...key });
      return { id, authorization: `Bearer ${secret}` };
    },
  };
}

export const disableKey = (access: TableOptions, id: string): Promise<unknown> =>
  createKeyEdits(access).disable(id, () => {});

export const suspendTenant = (access: TableOptions, name: string): Promise<unknown> =>
  createTenantEdits(access).edit(name, () => ({ suspended: true }));
