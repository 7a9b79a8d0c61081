/** How much of each limit of a key or a tenant is used. */
import { creditAt } from '../core/accounting/credit.ts';
import {
  type LimitScope,
  type LimitStore,
  type LimitUsage,
  scopeOfKey,
  shardingFor,
} from '../core/accounting/limits.ts';
import { formatDollars } from '../core/accounting/money.ts';
import { periodEnds } from '../core/accounting/periods.ts';
import { isLimited, type Limits } from '../core/tenancy.ts';
import type { StoredApiKey } from '../stores/access/keys.ts';
import type { StoredTenant } from '../stores/access/tenants.ts';
import { type LimitRow, limitTable, shownAmount } from './limit-fields.ts';
import type { LimitUseAnswer } from './tenancy-schema.ts';

interface UseParts {
  readonly limits: Pick<LimitStore, 'read'>;
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** `tenant`: that of the key. */
export const useOfKey = (parts: UseParts, key: StoredApiKey, tenant: StoredTenant | undefined) =>
  useOf(parts, scopeOfKey(key), key.limits ?? {}, tenant?.throughput);

export function useOfTenant(parts: UseParts, tenant: StoredTenant): Promise<readonly LimitUseAnswer[]> {
  const { name, limits = {}, grants, throughput } = tenant;
  const { credit } = limits;
  const left = credit === undefined ? {} : { credit: creditAt(credit, grants, parts.now() / 1000) };
  return useOf(parts, { kind: 'tenant', id: name }, { ...limits, ...left }, throughput);
}

async function useOf(
  { limits: store, now }: UseParts,
  scope: LimitScope,
  limits: Limits,
  throughput: number | undefined,
): Promise<readonly LimitUseAnswer[]> {
  if (!isLimited(limits)) return [];
  const usage = await store.read(scope, shardingFor(throughput));
  return limitTable.flatMap((row) => {
    const set = limits[row.limit];
    return set === undefined ? [] : [rowOf(row, set, usage, now())];
  });
}

function rowOf(row: LimitRow, set: number, usage: LimitUsage | undefined, time: number): LimitUseAnswer {
  const used = usage?.[row.used] ?? 0;
  const end = periodEnds(row.limit, time);
  return {
    limit: row.field,
    set: shownAmount(row, set),
    used: shownAmount(row, used),
    held: row.isMoney ? formatDollars(usage?.held ?? 0) : null,
    left: shownAmount(row, Math.max(0, set - used)),
    share: set === 0 ? 1 : Math.min(1, used / set),
    resets_at: end === undefined ? null : Math.ceil(end / 1000),
  };
}
