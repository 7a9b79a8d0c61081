/** Requests that were refused before any provider was called, newest first: of all tenants that are searched together. */
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import type { Refusal } from '../../core/accounting/refusal.ts';
import type { PlacedRefusal, RefusalStore } from '../../stores/usage/refusals.ts';
import { type Shown, toRow } from './row.ts';
import { maxLookedAt, type RequestRow } from './schema.ts';

export interface RefusedParts {
  readonly refusals: Pick<RefusalStore, 'find' | 'newest'>;
}

interface RefusedQuestion {
  readonly tenants: readonly string[];
  readonly matches: (record: LedgerRecord) => boolean;
  /** Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** `next` of the page before. */
  readonly after: string | undefined;
}

interface RefusedPage {
  readonly refusals: readonly Refusal[];
  readonly counts: readonly RefusedCount[];
  /** Where the next page begins; absent: everything was looked at. */
  readonly next?: string;
  readonly lookedAt: number;
}

/** Reads at most `maxLookedAt` of them. */
export async function newestRefused(
  { refusals }: RefusedParts,
  { tenants, matches, from, to, limit, after }: RefusedQuestion,
): Promise<RefusedPage> {
  const share = Math.max(1, Math.floor(maxLookedAt / Math.max(1, tenants.length)));
  const all = await Promise.all(
    tenants.map((tenant) => refusals.newest(tenant, { from, to, before: after, limit: share })),
  );
  // What comes after the last one of a full share was not looked at.
  const end = all
    .filter(({ length }) => length === share)
    .map((found) => found.at(-1)?.position ?? '')
    .reduce((one, other) => (one > other ? one : other), '');
  const looked = all.flat().filter(({ position }) => position >= end);
  const found = looked.filter(({ refusal }) => matches(refusal.record)).toSorted(newestFirst);
  const page = found.slice(0, limit);
  const next = found.length > limit ? page.at(-1)?.position : end || undefined;
  return {
    refusals: page.map(({ refusal }) => refusal),
    counts: countsOf(found.map(({ refusal }) => refusal)),
    lookedAt: looked.length,
    ...(next && { next }),
  };
}

interface RefusedCount {
  readonly tenant: string;
  readonly key: string;
  readonly error: string;
  readonly model: string;
  readonly requests: number;
}

const maxCounts = 50;

function countsOf(refusals: readonly Refusal[]): readonly RefusedCount[] {
  const groups = Map.groupBy(refusals, ({ record: { tenant, key, error, model } }) =>
    JSON.stringify([tenant, key, error, model]),
  );
  return [...groups.values()]
    .flatMap((alike) => {
      const [first] = alike;
      if (!first) return [];
      const { tenant, key, error = '', model } = first.record;
      const requests = alike.reduce((sum, { more }) => sum + more + 1, 0);
      return [{ tenant, key, error, model, requests }];
    })
    .toSorted((one, other) => other.requests - one.requests)
    .slice(0, maxCounts);
}

const newestFirst = (one: PlacedRefusal, other: PlacedRefusal) => (one.position < other.position ? 1 : -1);

export const refusedRow = (refusal: Refusal, shown: Shown): RequestRow => ({
  ...toRow(refusal.record, shown),
  ...aboutRefusal(refusal),
});

export const aboutRefusal = ({ message, param, more }: Refusal) => ({
  status: 'refused' as const,
  refusal: { message, param: param ?? null, more },
});
