/** The query of the overview: which time, whose, and by what it is split. */
import * as z from 'zod/mini';
import { hourDays } from '../../core/accounting/sums.ts';
import { timeParameter } from '../../core/formats/query-schema.ts';
import type { Span } from '../../core/ports/usage-store.ts';
import { checkedSpan, wrong } from '../../metering/usage/question.ts';
import { filter } from '../list-schema.ts';
import { aligned, before, type Grain, stepOf } from './periods.ts';
import { type OverviewGroup, overviewGroups } from './schema.ts';
import type { Scope } from './scope.ts';

/** Days of one overview; it reads as many before. */
const maxOverviewDays = 92;

/** Longer ones are shown by day. */
const maxHours = 72;

/** Without times: this week. */
const defaultDays = 7;

export const overviewQuery = z.strictObject({
  from: timeParameter('beginning', true),
  to: timeParameter('end', true),
  tenant: filter(),
  model: filter(),
  key: filter(),
  user: filter(),
  group_by: z.optional(z.enum(overviewGroups, `must be one of: ${overviewGroups.join(', ')}`)),
});

export interface OverviewQuestion {
  readonly span: Span;
  readonly grain: Grain;
  readonly groupBy: OverviewGroup;
  readonly model?: string | undefined;
  readonly key?: string | undefined;
  readonly user?: string | undefined;
}

export function readOverview(
  { from, to: end, group_by, model, key, user }: z.output<typeof overviewQuery>,
  scope: Scope,
  { now, since = now }: { readonly now: number; readonly since: number | undefined },
): OverviewQuestion {
  const day = stepOf.day;
  const to = end ?? (Math.floor(now / day) + 1) * day;
  const span = checkedSpan({ from: from ?? to - defaultDays * day, to }, maxOverviewDays);
  const groupBy = group_by ?? (user === undefined ? 'model' : 'user');
  refuseUnknownSums({ groupBy, model, key, user }, scope);
  const isShort = to - span.from <= maxHours * stepOf.hour;
  // Users and tenants are counted by day.
  const isOfHours = isShort && groupBy !== 'user' && !(groupBy === 'tenant' && !scope.tenant);
  const grain = isOfHours && hasHours(span, scope, { now, since }) ? 'hour' : 'day';
  return { span: aligned(span, grain), grain, groupBy, model, key, user };
}

/** Days are kept longer than hours, and those of a tenant are there from before there were sums. */
function hasHours(span: Span, { tenant }: Scope, { now, since }: { now: number; since: number }): boolean {
  const isKept = before(span).from >= now - (hourDays - 1) * stepOf.day;
  return isKept && (tenant === undefined || since <= span.from);
}

/** Not every combination is summed up; what is not can be asked of `GET /admin/v1/usage`, which may read the ledger. */
function refuseUnknownSums(
  { groupBy, model, key, user }: Pick<OverviewQuestion, 'groupBy' | 'model' | 'key' | 'user'>,
  { tenant, keys }: Scope,
): void {
  const isOfUsers = user !== undefined || groupBy === 'user';
  if (tenant === undefined) {
    if (key !== undefined) throw wrong('key', "needs a 'tenant'");
    if (user !== undefined) throw wrong('user', "needs a 'tenant'");
    if (groupBy === 'key' || groupBy === 'user')
      throw wrong('group_by', `can be '${groupBy}' only with a 'tenant'`);
    if (groupBy === 'tenant' && model !== undefined)
      throw wrong('model', "cannot be combined with 'group_by=tenant': tenants are not counted by model");
    return;
  }
  if (groupBy === 'provider')
    throw wrong('group_by', "can be 'provider' only for operators, and without a 'tenant'");
  if (isOfUsers && keys)
    throw wrong(
      user === undefined ? 'group_by' : 'user',
      'cannot be of users: those of a key are not counted',
    );
  if (!isOfUsers) return;
  if (groupBy !== 'user')
    throw wrong(
      'user',
      "can be combined with 'group_by=user' only: the sums of users have no models and keys",
    );
  if (model !== undefined) throw wrong('model', 'cannot be combined with users: their sums have no models');
  if (key !== undefined) throw wrong('key', 'cannot be combined with users: their sums have no keys');
}
