/** The stores of an installation, over its tables. */
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import type { TableName } from '../../lib/core/tables.ts';
import { createCredentialStore } from '../../lib/stores/access/credentials.ts';
import { createPolicyStore } from '../../lib/stores/access/guardrails.ts';
import { createKeyEdits } from '../../lib/stores/access/key-edits.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createManagementKeyStore } from '../../lib/stores/access/management-keys.ts';
import { createTenantEdits } from '../../lib/stores/access/tenant-edits.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createBatchStore } from '../../lib/stores/batches/batches.ts';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { createHostStore } from '../../lib/stores/catalog/hosts.ts';
import { createProviderDataStore } from '../../lib/stores/catalog/provider-data.ts';
import { createFileStore } from '../../lib/stores/files/file-store.ts';
import { noBytes } from '../../lib/stores/files/no-bytes.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { createBackgroundStore } from '../../lib/stores/responses/background.ts';
import { createAggregateStore } from '../../lib/stores/usage/aggregate.ts';
import { createAuditLog } from '../../lib/stores/usage/audit.ts';
import { createJournal } from '../../lib/stores/usage/journal.ts';
import { readPartitions } from '../../lib/stores/usage/partitions.ts';
import { createSumsStore } from '../../lib/stores/usage/read-sums.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { createDeliveryStore } from '../../lib/stores/webhooks/deliveries.ts';
import { type Installation, readDays } from '../command.ts';

interface Tables {
  readonly call: AwsCall;
  /** The name of the table for a purpose. */
  readonly nameOf: (purpose: TableName) => string;
  /** How many days the ledger is kept, as text; the default if absent. */
  readonly ledgerDays: string | undefined;
}

export function composeInstallation({
  call,
  nameOf,
  ledgerDays,
}: Tables): Omit<Installation, 'settings' | 'close'> {
  const usage = { call, table: nameOf('usage'), now: Date.now };
  const access = { call, table: nameOf('access') };
  const files = () => ({ call, table: nameOf('files'), now: Date.now });
  const catalog = { call, table: nameOf('catalog') };
  const tenants = createTenantStore(access);
  const ledger = { ...usage, ledgerDays: readDays(ledgerDays), partitionsOf: readPartitions(tenants) };
  return {
    keys: createKeyStore(access),
    keyEdits: createKeyEdits(access),
    managementKeys: createManagementKeyStore(access),
    tenants,
    tenantEdits: createTenantEdits(access),
    credentials: createCredentialStore(access),
    policies: createPolicyStore(access),
    catalog: createCatalogStore(catalog),
    hosts: createHostStore(catalog),
    providerData: createProviderDataStore(catalog),
    usage: createUsageStore(ledger),
    running: createAggregateStore(ledger),
    runs: () => createBackgroundStore({ call, table: nameOf('state'), now: Date.now }),
    batches: () => createBatchStore(files()),
    files: () => createFileStore({ ...files(), bytes: noBytes }),
    limits: createLimitStore(usage),
    sums: createSumsStore(usage),
    journal: createJournal(usage),
    audit: createAuditLog(usage),
    deliveries: () => createDeliveryStore({ call, table: nameOf('state'), now: Date.now }),
    now: Date.now,
    members: withoutMembers,
  };
}

const withoutMembers = async (): Promise<never> => {
  throw new Error(
    'This gateway manages no members: people have their roles at the issuer at which they sign in. A stack with a dashboard manages them, and an environment with GATEWAY_ADMIN_USER_POOL.',
  );
};
