/** What keys and tenants were charged this month, and how much of their limits is used: what lists show beside their settings. */
import type { LimitStore } from '../core/accounting/limits.ts';
import { monthOf, type Numbers, type SumKey, startOf } from '../core/accounting/sums.ts';
import type { SumsStore } from '../core/ports/sums-store.ts';
import { isLimited } from '../core/tenancy.ts';
import { limitTable } from './limit-fields.ts';
import { type Limited, useOf } from './limit-use.ts';
import type { LimitUseAnswer } from './tenancy-schema.ts';
import type { SpendAnswer } from './usage/schema.ts';
import { toAmounts } from './usage/write-figures.ts';

export interface SpendParts {
  readonly sums: Pick<SumsStore, 'since' | 'keysSince' | 'keyCharges' | 'tenantCharges' | 'find'>;
  readonly limits: Pick<LimitStore, 'readMany'>;
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** By the id of a key or the name of a tenant; null: no sums are kept. */
export type FindSpend = (id: string) => SpendAnswer | null;

/** Of all tenants, or the keys of one. `seesCost`: what providers take, too. */
export async function spendOfKeys(
  { sums, now }: SpendParts,
  tenant: string | undefined,
  seesCost: boolean,
): Promise<FindSpend> {
  const month = monthOf(now());
  const [since, found] = await Promise.all([sums.keysSince(), sums.keyCharges(month, tenant)]);
  return finder(new Map(found.map(({ key, numbers }) => [key, numbers])), { month, since, seesCost });
}

/** For operators. */
export async function spendOfTenants({ sums, now }: SpendParts): Promise<FindSpend> {
  const month = monthOf(now());
  const [since, found] = await Promise.all([sums.since(), sums.tenantCharges(month)]);
  const byName = new Map(found.map(({ tenant, numbers }) => [tenant, numbers]));
  return finder(byName, { month, since, seesCost: true });
}

/** Of one key or tenant. */
export async function spendOfOne(
  { sums, now }: SpendParts,
  subject: { readonly tenant: string; readonly key?: string },
  seesCost: boolean,
): Promise<SpendAnswer | null> {
  const month = monthOf(now());
  const { tenant, key } = subject;
  const of: SumKey =
    key === undefined ? { of: 'tenant', period: month, tenant } : { of: 'key', month, tenant, key };
  const since = await (key === undefined ? sums.since() : sums.keysSince());
  return toSpend((await sums.find(of)) ?? {}, { month, since, seesCost });
}

interface Known {
  readonly month: string;
  /** From when on there are sums, in Unix milliseconds; undefined: there are none. */
  readonly since: number | undefined;
  readonly seesCost: boolean;
}

const finder =
  (numbers: ReadonlyMap<string, Numbers>, known: Known): FindSpend =>
  (id) =>
    toSpend(numbers.get(id) ?? {}, known);

function toSpend(numbers: Numbers, { month, since, seesCost }: Known): SpendAnswer | null {
  if (since === undefined) return null;
  const from = Math.ceil(Math.max(since, startOf(month)) / 1000);
  return { from, ...toAmounts(numbers, seesCost) };
}

/** The use of the limits of each, in their order. */
export async function usesOf(
  { limits, now }: Pick<SpendParts, 'limits' | 'now'>,
  all: readonly Limited[],
): Promise<readonly (readonly LimitUseAnswer[])[]> {
  const limited = all.filter((one) => isLimited(one.limits));
  const read = limited.length === 0 ? [] : await limits.readMany(limited.map(({ scope }) => scope));
  const usage = new Map(limited.map((one, index) => [one, read[index]]));
  return all.map((one) => useOf(one, usage.get(one), now()));
}

const moneyFields: ReadonlySet<string> = new Set(
  limitTable.filter(({ isMoney }) => isMoney).map(({ field }) => field),
);

/** How much of its tightest budget, or of its credit, is used: from 0 to 1; null: it has none. */
export function budgetShare(use: readonly LimitUseAnswer[]): number | null {
  const shares = use.filter(({ limit }) => moneyFields.has(limit)).map(({ share }) => share);
  return shares.length === 0 ? null : Math.max(...shares);
}
