/**
 * Policies of guardrails in the access table: an item for each version, which never changes. The item of a tenant names the versions
 * that apply (`guardrails`), so that a request without any reads nothing.
 */
import type { Policy } from '../../core/guardrails/policy.ts';
import { expiryAttribute } from '../../core/tables.ts';
import { dayMs } from '../../core/time.ts';
import { isAbsent, openTable, type TableOptions } from '../dynamodb/table.ts';

export interface PolicyStore {
  /** Rejects for a malformed item: a policy that cannot be read must not let everything pass. */
  find(tenant: string, id: string, version: number): Promise<Policy | undefined>;
  /** False if there is such a version. */
  create(tenant: string, policy: Policy): Promise<boolean>;
  /** Deletes one that nothing names any more, some days later: what has begun with it goes on. `now`: Unix milliseconds. */
  retire(tenant: string, id: string, version: number, now: number): Promise<void>;
}

/** Longer than a batch takes, whose lines have begun with a version. */
const keptMs = 7 * dayMs;

const keyOf = (tenant: string, id: string, version: number) => `guardrail#${tenant}#${id}#${version}`;

export function createPolicyStore(options: TableOptions): PolicyStore {
  const items = openTable(options);
  return {
    async find(tenant, id, version) {
      const item = await items.get(keyOf(tenant, id, version));
      if (!item) return undefined;
      if (typeof item.policy !== 'string')
        throw new Error(`The stored item of guardrail ${id} is malformed.`);
      return { ...(JSON.parse(item.policy) as Policy), id, version };
    },
    create: (tenant, { id, version, ...policy }) =>
      items.put(keyOf(tenant, id, version), { policy: JSON.stringify(policy) }, isAbsent),
    async retire(tenant, id, version, now) {
      await items.set(keyOf(tenant, id, version), expiryAttribute, Math.floor((now + keptMs) / 1_000));
    },
  };
}
