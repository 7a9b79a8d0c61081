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

/** Whose limits, and which they are now. */
export interface Limited {
  readonly scope: LimitScope;
  readonly limits: Limits;
}

export const limitedKey = (key: StoredApiKey): Limited => ({
  scope: scopeOfKey(key),
  limits: key.limits ?? {},
});

export function limitedTenant({ name, limits = {}, grants }: StoredTenant, now: number): Limited {
  const { credit } = limits;
  const left = credit === undefined ? {} : { credit: creditAt(credit, grants, now / 1000) };
  return { scope: { kind: 'tenant', id: name }, limits: { ...limits, ...left } };
}

/** `tenant`: that of the key. */
export const useOfKey = (parts: UseParts, key: StoredApiKey, tenant: StoredTenant | undefined) =>
  readUse(parts, limitedKey(key), tenant?.throughput);

export const useOfTenant = (parts: UseParts, tenant: StoredTenant): Promise<readonly LimitUseAnswer[]> =>
  readUse(parts, limitedTenant(tenant, parts.now()), tenant.throughput);

async function readUse(
  { limits: store, now }: UseParts,
  limited: Limited,
  throughput: number | undefined,
): Promise<readonly LimitUseAnswer[]> {
  const { scope, limits } = limited;
  if (!isLimited(limits)) return [];
  return useOf(limited, await store.read(scope, shardingFor(throughput)), now());
}

/** Of each limit that is set. */
export const useOf = (
  { limits }: Limited,
  usage: LimitUsage | undefined,
  time: number,
): readonly LimitUseAnswer[] =>
  limitTable.flatMap((row) => {
    const set = limits[row.limit];
    return set === undefined ? [] : [rowOf(row, set, usage, time)];
  });

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
