/** Tenants in the access table. An item is `tenant#<name>`; what of its limits is used up is elsewhere. */
import * as z from 'zod/mini';
import { GatewayError } from '../../core/errors.ts';
import { partitionKey } from '../../core/tables.ts';
import { openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import {
  changeOf,
  readTenancy,
  type Tenancy,
  type TenancyChange,
  tenancyFields,
  tenancySchema,
} from './tenancy-fields.ts';

/** Times are Unix seconds. */
export type StoredTenant = Tenancy & {
  readonly name: string;
  readonly createdAt: number;
  /** Absent while it is active. */
  readonly suspendedAt?: number;
};

export interface TenantStore {
  /** Rejects with an error for an item that is broken: whoever cannot be read must not become unlimited. */
  find(name: string): Promise<StoredTenant | undefined>;
  /** All tenants by name. Reads the whole table: for commands, not for requests. */
  list(): Promise<readonly StoredTenant[]>;
  /** False, and nothing is changed, where there is one already. Rejects with GatewayError for what cannot be a name. */
  create(name: string, tenancy?: Tenancy): Promise<boolean>;
  /** What it is then; undefined where there is no such tenant. */
  change(name: string, change: TenancyChange): Promise<StoredTenant | undefined>;
  /** Adds to what was paid in advance. Where it rejects, it may have been added all the same. */
  addCredit(name: string, nanoDollars: number): Promise<StoredTenant | undefined>;
  /** All its keys are refused within ten seconds. One already suspended keeps its time. */
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
  [partitionKey]: z.string().check(z.startsWith(keyPrefix)),
  created_at: z.number(),
  suspended_at: z.exactOptional(z.number()),
});

export function createTenantStore({ call, table, now = Date.now }: AccessOptions): TenantStore {
  const items = openTable({ call, table });
  const seconds = () => Math.floor(now() / 1000);
  const isThere = 'attribute_exists(pk)';
  const isNew = { expression: 'attribute_not_exists(pk)' };
  const change = async (name: string, fields: object) => {
    const item = await items.update(keyPrefix + name, changeOf({ ...fields }));
    return item && readTenant(item);
  };
  return {
    async find(name) {
      const item = await items.get(keyPrefix + name);
      if (!item) return undefined;
      const tenant = readTenant(item);
      if (!tenant) throw new Error(`The item of the tenant ${name} is broken.`);
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
    change: (name, changed) => change(name, tenancyFields(changed)),
    async addCredit(name, nanoDollars) {
      const item = await items.update(keyPrefix + name, {
        expression: 'ADD credit :more',
        condition: isThere,
        values: { ':more': nanoDollars },
        once: true,
      });
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
  };
}

const badTenantName = () =>
  new GatewayError(
    'invalid_request',
    'A tenant name has 1 to 63 letters, digits, dots, dashes or underscores, and starts with a letter or digit.',
    { param: 'tenant' },
  );
