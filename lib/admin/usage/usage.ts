/** Usage in rows: `GET /admin/v1/usage`. The same questions as `GET /v1/usage`, of the tenants that a user sees. */
import type * as z from 'zod/mini';
import type { Numbers } from '../../core/accounting/sums.ts';
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import type { SumsStore } from '../../core/ports/sums-store.ts';
import { pageOf, readAfter } from '../../metering/usage/groups.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { gatherAll } from './gather-all.ts';
import { gatherTenant, type TenantReads } from './gather-tenant.ts';
import { timeZone, type UsageAnswer } from './schema.ts';
import { type ScopeParts, scopeOf } from './scope.ts';
import { readUsage, usageQuery } from './usage-question.ts';
import { toFigures } from './write-figures.ts';

interface UsageParts extends ScopeParts, TenantReads {
  readonly sums: SumsStore;
  /** The time in milliseconds. */
  readonly now: () => number;
}

export const usageEndpoint = (parts: UsageParts) => endpointOf(parts, usageQuery, nothing, listUsage);

async function listUsage(
  parts: UsageParts,
  user: User,
  query: z.output<typeof usageQuery>,
  _ifMatch: string | undefined,
  signal: AbortSignal,
): Promise<UsageAnswer> {
  const now = parts.now();
  const question = readUsage(query, now);
  const scope = await scopeOf(parts, user, question.tenant);
  const { tenant, keys } = scope;
  const { from, to, group_by: groupBy, limit } = question;
  const after = readAfter(groupBy, question.after);
  const gathered =
    tenant === undefined
      ? await gatherAll(parts.sums, question, now)
      : await gatherTenant(parts, { ...question, tenant, keys, signal }, now);
  const { sums, source, completeFrom } = gathered;
  const write = (numbers: Numbers) => toFigures(numbers, scope.seesCost);
  return {
    object: 'list',
    ...pageOf(sums, { groupBy, limit, after }, write),
    from: Math.floor(from / 1000),
    to: Math.floor(to / 1000),
    time_zone: timeZone,
    source,
    complete_from: Math.ceil(completeFrom / 1000),
    group_by: [...groupBy],
    total: write(sums.total()),
  };
}
