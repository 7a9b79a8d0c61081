/** Tenants in the access table. The key of an item is `tenant#<name>`. The use of limits is stored elsewhere. */
import * as z from 'zod/mini';
import { formatDollars } from '../../core/accounting/money.ts';
import { GatewayError } from '../../core/errors.ts';
import { partitionKey } from '../../core/tables.ts';
import { openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import {
  readTenancy,
  type Tenancy,
  type TenancyChange,
  tenancyFields,
  tenancySchema,
  updateOf,
} from './tenancy-fields.ts';
import { readTerms, type StoredTerms, type TermsChange, termsFields, termsSchema } from './tenant-terms.ts';

/** Times are Unix seconds. */
export type StoredTenant = Tenancy &
  StoredTerms & {
    readonly name: string;
    readonly createdAt: number;
    /** Absent while the tenant is active. */
    readonly suspendedAt?: number;
  };

export type TenantChange = TenancyChange & TermsChange;

export interface TenantStore {
  /** Rejects for a malformed item: a tenant that cannot be read must not become unlimited. */
  find(name: string): Promise<StoredTenant | undefined>;
  /** All tenants, sorted by name. Reads the whole table: for commands, not for requests. */
  list(): Promise<readonly StoredTenant[]>;
  /** Returns false and changes nothing if the tenant exists. Rejects with GatewayError for an invalid name. */
  create(name: string, tenancy?: Tenancy): Promise<boolean>;
  /** Returns the changed tenant, or undefined if there is no such tenant. */
  change(name: string, change: TenantChange): Promise<StoredTenant | undefined>;
  /** Returns false and changes nothing if there is no such tenant, or its throughput is higher already. */
  raiseThroughput(name: string, requestsPerSecond: number): Promise<boolean>;
  /**
   * Adds prepaid credit. Rejects with GatewayError `invalid_request` for more than can be counted exactly. If this rejects for
   * another reason, the credit may still have been added.
   */
  addCredit(name: string, nanoDollars: number): Promise<StoredTenant | undefined>;
  /** All keys of the tenant stop working within ten seconds. A tenant already suspended keeps its time. */
  suspend(name: string): Promise<boolean>;
  activate(name: string): Promise<boolean>;
}

export interface AccessOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now?: () => number;
}

const keyPrefix = 'tenant#';
const tenantName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

const tenantItem = z.object({
  ...tenancySchema,
  ...termsSchema,
  [partitionKey]: z.string().check(z.startsWith(keyPrefix)),
  created_at: z.number(),
  suspended_at: z.exactOptional(z.number()),
});

export function createTenantStore({ call, table, now = Date.now }: AccessOptions): TenantStore {
  const items = openTable({ call, table });
  const seconds = () => Math.floor(now() / 1000);
  const exists = 'attribute_exists(pk)';
  const isNew = { expression: 'attribute_not_exists(pk)' };
  const change = async (name: string, fields: object) => {
    const item = await items.update(keyPrefix + name, updateOf({ ...fields }));
    return item && readTenant(item);
  };
  return {
    async find(name) {
      const item = await items.get(keyPrefix + name);
      if (!item) return undefined;
      const tenant = readTenant(item);
      if (!tenant) throw new Error(`The stored item of tenant ${name} is malformed.`);
      return tenant;
    },
    async list() {
      const found = await items.scan(keyPrefix);
      return found.flatMap((item) => readTenant(item) ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    async create(name, tenancy = {}) {
      if (!tenantName.test(name)) throw badTenantName();
      return await items.put(
        keyPrefix + name,
        { name, created_at: seconds(), ...tenancyFields(tenancy) },
        isNew,
      );
    },
    change: (name, changed) => change(name, { ...tenancyFields(changed), ...termsFields(changed) }),
    async raiseThroughput(name, requestsPerSecond) {
      const item = await items.update(keyPrefix + name, {
        expression: 'SET #throughput = :higher',
        condition: `${exists} AND (attribute_not_exists(#throughput) OR #throughput <= :higher)`,
        names: { '#throughput': 'throughput' },
        values: { ':higher': requestsPerSecond },
      });
      return item !== undefined;
    },
    async addCredit(name, nanoDollars) {
      const item = await items.update(keyPrefix + name, {
        expression: 'ADD credit :more',
        condition: `${exists} AND (attribute_not_exists(credit) OR credit <= :rest)`,
        values: { ':more': nanoDollars, ':rest': Number.MAX_SAFE_INTEGER - nanoDollars },
        once: true,
      });
      if (!item && (await items.get(keyPrefix + name))) throw tooMuchCredit();
      return item && readTenant(item);
    },
    suspend: (name) => items.setOnce(keyPrefix + name, 'suspended_at', seconds()),
    activate: async (name) => (await change(name, { suspended_at: null })) !== undefined,
  };
}

function readTenant(item: StoredItem): StoredTenant | undefined {
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

const tooMuchCredit = () =>
  new GatewayError(
    'invalid_request',
    `The credit of a tenant is at most ${formatDollars(Number.MAX_SAFE_INTEGER)} USD: more cannot be counted exactly. Nothing was added.`,
    { param: 'credit' },
  );

const badTenantName = () =>
  new GatewayError(
    'invalid_request',
    'A tenant name has 1 to 63 letters, digits, dots, dashes or underscores, and starts with a letter or digit.',
    { param: 'tenant' },
  );
