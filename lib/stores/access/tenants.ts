/** Tenants in the access table. The key of an item is `tenant#<name>`. The use of limits is stored elsewhere. */
import * as z from 'zod/mini';
import type { CreditGrant, Unallocated } from '../../core/accounting/credit.ts';
import type { Pricing } from '../../core/accounting/pricing.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { objectOf } from '../../core/formats/given-fields.ts';
import { partitionKey, tenantItemPrefix } from '../../core/tables.ts';
import type { Limits } from '../../core/tenancy.ts';
import { isAbsent, openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import { isStill, toItemUpdate } from '../dynamodb/update-expression.ts';
import { readTenancy, type Tenancy, tenancyFields, tenancySchema } from './tenancy-fields.ts';
import { readTerms, type StoredTerms, termsSchema } from './tenant-terms.ts';

/** Times are Unix seconds. */
export type StoredTenant = Tenancy &
  StoredTerms & {
    readonly name: string;
    readonly createdAt: number;
    /** Absent while the tenant is active. */
    readonly suspendedAt?: number;
  };

/** Without what people change: `tenant-edits.ts`. */
export interface TenantStore {
  /** Rejects for a malformed item: a tenant that cannot be read must not become unlimited. */
  find(name: string): Promise<StoredTenant | undefined>;
  /** The names of all tenants, sorted; reads nothing else of them. */
  names(): Promise<readonly string[]>;
  /** Returns false and changes nothing if the tenant exists. Rejects with GatewayError for an invalid name. */
  create(name: string, tenancy?: Tenancy): Promise<boolean>;
  /** Replaces the pricing of a version; false if it has changed since, or there is no such tenant. */
  replacePricing(name: string, version: number | undefined, pricing: Pricing): Promise<boolean>;
  /** The same for the allocation of use to grants; false also if credit was given since. */
  replaceGrants(name: string, known: KnownCredit, next: Allocation): Promise<boolean>;
}

/** What is known of the use of grants. */
interface Allocation {
  readonly grants: readonly CreditGrant[];
  readonly unallocated: Unallocated;
}

/** What was read of a tenant before its grants are replaced. */
interface KnownCredit {
  readonly limits?: Pick<Limits, 'credit'>;
  readonly unallocated?: Unallocated;
}

export interface AccessOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now?: () => number;
}

const keyPrefix = tenantItemPrefix;
const tenantName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

const tenantItem = objectOf({
  ...tenancySchema,
  ...termsSchema,
  [partitionKey]: z.string().check(z.startsWith(keyPrefix)),
  created_at: z.number(),
  suspended_at: () => z.exactOptional(z.number()),
});

export function createTenantStore({ call, table, now = Date.now }: AccessOptions): TenantStore {
  const items = openTable({ call, table });
  return {
    async find(name) {
      const item = await items.get(keyPrefix + name);
      if (!item) return undefined;
      const tenant = readTenant(item);
      if (!tenant) throw new Error(`The stored item of tenant ${name} is malformed.`);
      return tenant;
    },
    async names() {
      const keys = await items.scanKeys(keyPrefix);
      return keys.map((key) => key.slice(keyPrefix.length)).toSorted();
    },
    async create(name, tenancy = {}) {
      if (!tenantName.test(name)) throw badTenantName();
      const created_at = Math.floor(now() / 1000);
      return await items.put(keyPrefix + name, { name, created_at, ...tenancyFields(tenancy) }, isAbsent);
    },
    async replacePricing(name, version, pricing) {
      const where = [isStill('pricing_version', version), isAny];
      const set = [
        [['pricing'], pricing],
        [['pricing_version'], (version ?? 0) + 1],
      ] as const;
      return (await items.update(keyPrefix + name, toItemUpdate({ set, where }))) !== undefined;
    },
    async replaceGrants(name, { limits, unallocated }, next) {
      // The list itself cannot be compared; each grant that is given changes the credit.
      const where = [
        isStill(['unallocated', 'day'], unallocated?.day),
        isStill(['unallocated', 'version'], unallocated?.version),
        isStill('credit', limits?.credit),
        isAny,
      ];
      const set = Object.entries(next).map(([attribute, value]) => [[attribute], value] as const);
      const update = { ...toItemUpdate({ set, where }), onlyChanged: true };
      return (await items.update(keyPrefix + name, update)) !== undefined;
    },
  };
}

export function readTenant(item: StoredItem): StoredTenant | undefined {
  const { success, data } = tenantItem.safeParse(item);
  if (!success) return undefined;
  const { created_at, suspended_at } = data;
  return {
    name: data[partitionKey].slice(keyPrefix.length),
    createdAt: created_at,
    ...(suspended_at !== undefined && { suspendedAt: suspended_at }),
    ...readTenancy(data),
    ...readTerms(data),
  };
}

const isAny = { path: [partitionKey], exists: true } as const;

const badTenantName = () =>
  new GatewayError(
    'invalid_request',
    'A tenant name has 1 to 63 letters, digits, dots, dashes or underscores, and starts with a letter or digit.',
    { param: 'tenant' },
  );
