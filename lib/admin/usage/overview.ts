/**
 * The overview in one call: `GET /admin/v1/overview`. The figures of a span of time and of the equally long one before it, a chart of
 * the greatest groups, what changed most, and today and this month against the budgets. It reads sums only, never the ledger.
 */
import type * as z from 'zod/mini';
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import type { SumsStore } from '../../core/ports/sums-store.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { type AsOfParts, sumsAsOf } from './as-of.ts';
import { type BudgetParts, type KeyWithLimits, readBudgets } from './budgets.ts';
import { overviewQuery, readOverview } from './overview-question.ts';
import { readBoth, readSpans, withDeploymentsOnce } from './read-overview.ts';
import type { OverviewAnswer } from './schema.ts';
import { namesById, type Scope, type ScopeParts, scopeOf } from './scope.ts';
import { writeOverview } from './write-overview.ts';

interface OverviewParts extends ScopeParts, BudgetParts, Pick<AsOfParts, 'search'> {
  readonly keys: ScopeParts['keys'] & {
    list(filter: { readonly tenant?: string; readonly owner?: string }): Promise<readonly KeyWithLimits[]>;
  };
  readonly sums: SumsStore;
  /** Of all tenants, those that were active last. */
  readonly lastActive: () => Promise<readonly string[]>;
}

export const overviewEndpoint = (parts: OverviewParts) => endpointOf(parts, overviewQuery, nothing, overview);

async function overview(
  parts: OverviewParts,
  user: User,
  query: z.output<typeof overviewQuery>,
  _ifMatch: string | undefined,
  signal: AbortSignal,
): Promise<OverviewAnswer> {
  const now = parts.now();
  const scope = await scopeOf(parts, user, query.tenant);
  const since = await parts.sums.since();
  const question = readOverview(query, scope, { now, since });
  const sums = withDeploymentsOnce(parts.sums, question, now);
  const [read, standard, keys, asOf] = await Promise.all([
    readBoth(sums, scope, question),
    readSpans(sums, scope, question, { now, since }),
    keysOf(parts, scope),
    asOfIn(parts, scope, signal),
  ]);
  const key = keys.find(({ id }) => id === question.key);
  const budgets =
    scope.tenant === undefined || (scope.keys && !key) || (question.key !== undefined && !key)
      ? []
      : await readBudgets(parts, scope.tenant, key);
  return writeOverview({
    question,
    scope,
    now,
    since,
    asOf,
    read,
    standard,
    budgets,
    names: namesById(keys),
  });
}

async function asOfIn(parts: OverviewParts, { tenant }: Scope, signal: AbortSignal) {
  return await sumsAsOf(parts, tenant === undefined ? await parts.lastActive() : [tenant], signal);
}

/** Of the tenant, those that the user sees. */
async function keysOf(parts: OverviewParts, { tenant, keys }: Scope): Promise<readonly KeyWithLimits[]> {
  if (tenant === undefined) return [];
  const all = await parts.keys.list({ tenant });
  return keys ? all.filter(({ id }) => keys.has(id)) : all;
}
