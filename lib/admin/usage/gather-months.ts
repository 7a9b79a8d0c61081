/**
 * The tenants or keys of a gateway over whole days: the amounts of all, so that they can be put in order, and every number of
 * those that a page shows.
 */
import { addTo, type Numbers, type SumKey } from '../../core/accounting/sums.ts';
import type { SumsStore } from '../../core/ports/sums-store.ts';
import type { Span } from '../../core/ports/usage-store.ts';
import { createSums, type Names } from '../../metering/usage/groups.ts';
import type { GatheredUsage } from './gathered.ts';
import { monthParts, type Part, wholeMonths } from './month-parts.ts';
import { periodsOf } from './periods.ts';
import type { UsageQuestion } from './usage-question.ts';

type Reads = Pick<SumsStore, 'tenantCharges' | 'keyCharges' | 'findMany' | 'deploymentDays'>;

type Question = Pick<UsageQuestion, 'from' | 'to' | 'group_by'>;

interface Amounts {
  readonly tenant: string;
  readonly key?: string;
  readonly numbers: Numbers;
}

interface Kind {
  /** Undefined: there are no sums of these days. */
  readonly partsIn: (span: Span) => readonly Part[] | undefined;
  readonly amounts: (period: string) => Promise<readonly Amounts[]>;
  readonly sumOf: (group: Readonly<Record<string, string | null>>, period: string) => SumKey;
}

const tenantsOf = (sums: Reads, now: number): Kind => ({
  partsIn: (span) => monthParts(span, now),
  amounts: (period) => sums.tenantCharges(period),
  sumOf: ({ tenant }, period) => ({ of: 'tenant', period, tenant: tenant ?? '' }),
});

/** Keys are summed up by month only. */
const keysOf = (sums: Reads, now: number): Kind => ({
  partsIn: (span) => wholeMonths(span, now)?.map((period) => ({ period, sign: 1 })),
  amounts: (month) => sums.keyCharges(month),
  sumOf: ({ tenant, key }, month) => ({ of: 'key', month, tenant: tenant ?? '', key: key ?? '' }),
});

/** Undefined if there are no sums of it. */
export async function gatherMonths(
  sums: Reads,
  { group_by: groupBy, ...span }: Question,
  now: number,
): Promise<Omit<GatheredUsage, 'completeFrom'> | undefined> {
  const kind = (groupBy.includes('key') ? keysOf : tenantsOf)(sums, now);
  const parts = kind.partsIn(span);
  if (!parts) return undefined;
  const [read, deployments] = await Promise.all([
    Promise.all(parts.map(async ({ period, sign }) => ({ sign, rows: await kind.amounts(period) }))),
    sums.deploymentDays(periodsOf(span, 'day')),
  ]);
  const found = new Map<string, Amounts & { readonly numbers: Record<string, number> }>();
  for (const { sign, rows } of read)
    for (const { tenant, key, numbers } of rows) {
      const id = `${tenant}#${key ?? ''}`;
      const one = found.get(id) ?? { tenant, ...(key !== undefined && { key }), numbers: {} };
      found.set(id, one);
      addTo(one.numbers, times(numbers, sign));
    }
  const all = createSums(groupBy);
  for (const { numbers, ...group } of found.values()) if (isUsed(numbers)) all.add(group, positive(numbers));
  const total: Record<string, number> = {};
  for (const { numbers } of deployments) addTo(total, numbers);
  return {
    sums: all,
    source: 'daily_counters',
    total,
    details: async (groups, of) =>
      await readDetails(sums, kind, { groupBy, groups, parts: kind.partsIn(of) }),
  };
}

interface Wanted {
  readonly groupBy: readonly string[];
  readonly groups: readonly Names[];
  readonly parts: readonly Part[] | undefined;
}

/** The numbers of each group, in their order. */
async function readDetails(
  sums: Pick<SumsStore, 'findMany'>,
  { sumOf }: Kind,
  { groupBy, groups, parts }: Wanted,
): Promise<readonly Numbers[] | undefined> {
  if (!parts) return undefined;
  const keys = groups.flatMap((names) => {
    const group = Object.fromEntries(groupBy.map((name, index) => [name, names[index] ?? null]));
    return parts.map(({ period }) => sumOf(group, period));
  });
  const read = await sums.findMany(keys);
  return groups.map((_, group) => {
    const sum: Record<string, number> = {};
    for (const [index, { sign }] of parts.entries())
      addTo(sum, times(read[group * parts.length + index] ?? {}, sign));
    return positive(sum);
  });
}

const times = (numbers: Numbers, sign: Part['sign']): Numbers =>
  sign === 1 ? numbers : Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, -value]));

/** Sums are read one after the other, and one of a day may be ahead of that of its month. */
const positive = (numbers: Numbers): Numbers =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Math.max(0, value)]));

const isUsed = (numbers: Numbers) => Object.values(numbers).some((value) => value > 0);
