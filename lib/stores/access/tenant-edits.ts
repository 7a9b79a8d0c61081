/**
 * What people do with tenants: lists of them, and changes on condition that a tenant is still as it was seen. Apart from `tenants.ts`,
 * which every request of a caller loads.
 */
import type { CreditGrant } from '../../core/accounting/credit.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { tenantItemPrefix } from '../../core/tables.ts';
import { scanInParallel } from '../dynamodb/parallel-scan.ts';
import { refuseLater } from '../dynamodb/schema-version.ts';
import { openTable, type StoredItem } from '../dynamodb/table.ts';
import { editItem } from './edit-item.ts';
import { grantCredit } from './grant-credit.ts';
import { type TenancyChange, tenancyFields } from './tenancy-fields.ts';
import { type TermsChange, termsFields } from './tenant-terms.ts';
import { type AccessOptions, readTenant, type StoredTenant } from './tenants.ts';

/** What is absent stays as it is. */
export type TenantEdit = TenancyChange &
  TermsChange & {
    /** All keys of the tenant stop working within ten seconds. A tenant already suspended keeps its time. */
    readonly suspended?: boolean | undefined;
    /** Refused if it is lower than before. */
    readonly throughput?: number | undefined;
  };

interface EditedTenant {
  readonly before: StoredTenant;
  readonly after: StoredTenant;
}

export interface TenantEdits {
  /** By name. Rejects with GatewayError `invalid_request` for more than `maxListedTenants`. Reads the whole table. */
  list(): Promise<readonly StoredTenant[]>;
  find(name: string): Promise<StoredTenant | undefined>;
  /**
   * `decide` gets the tenant as it is, and may refuse the change by throwing. Undefined if there is no such tenant. Rejects with
   * GatewayError `conflict` if others change it all the time.
   */
  edit(name: string, decide: (tenant: StoredTenant) => TenantEdit): Promise<EditedTenant | undefined>;
  /** As `grantCredit`. */
  addCredit(name: string, grant: CreditGrant): Promise<StoredTenant | undefined>;
}

/** Tenants of one list: all are read, ordered and held in memory. */
const maxListedTenants = 50_000;

export function createTenantEdits(options: AccessOptions): TenantEdits {
  const { now = Date.now } = options;
  const items = openTable(options);
  const seconds = () => Math.floor(now() / 1000);
  return {
    async list() {
      const found = await scanInParallel(options, { prefix: tenantItemPrefix, max: maxListedTenants });
      if (found.length > maxListedTenants) throw tooManyTenants();
      return found.flatMap((item) => readTenant(refuseLater(item)) ?? []).toSorted(byName);
    },
    async find(name) {
      const item = await items.get(tenantItemPrefix + name, { consistent: true });
      return item && tenantOf(item);
    },
    async edit(name, decide) {
      const edited = await editItem(items, tenantItemPrefix + name, (item) => {
        const tenant = tenantOf(item);
        return fieldsOf(tenant, decide(tenant), seconds());
      });
      return edited && { before: tenantOf(edited.before), after: tenantOf(edited.after) };
    },
    addCredit: (name, grant) => grantCredit(items, name, grant),
  };
}

const byName = (one: StoredTenant, other: StoredTenant) => (one.name < other.name ? -1 : 1);

/** A tenant that cannot be read must not become unlimited. */
function tenantOf(item: StoredItem): StoredTenant {
  const tenant = readTenant(item);
  if (!tenant) throw new Error('The stored item of a tenant is malformed.');
  return tenant;
}

/** A credit that is set replaces all that was given before; each grant changes the credit, so none is lost. */
function fieldsOf(
  { suspendedAt }: StoredTenant,
  { suspended, throughput, ...change }: TenantEdit,
  now: number,
): StoredItem {
  return {
    ...(change.limits?.credit !== undefined && { grants: null, unallocated: null }),
    ...tenancyFields(change),
    ...termsFields(change),
    ...(throughput !== undefined && { throughput }),
    ...(suspended !== undefined && { suspended_at: suspended ? (suspendedAt ?? now) : null }),
  };
}

const tooManyTenants = () =>
  new GatewayError(
    'invalid_request',
    `There are more than ${maxListedTenants} tenants: too many for one list.`,
  );
