/** Usage in rows: `GET /admin/v1/usage`. The same questions as `GET /v1/usage`, of the tenants that a user sees. */
import type * as z from 'zod/mini';
import { type AdminEndpoint, type Nothing, nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import type { SumsStore } from '../../core/ports/sums-store.ts';
import { compare, type Names, readCursor, writeCursor } from '../../metering/usage/groups.ts';
import { wrong } from '../../metering/usage/question.ts';
import { gatherAll } from './gather-all.ts';
import { type GatheredUsage, gatherTenant, type TenantReads } from './gather-tenant.ts';
import { timeZone, type UsageAnswer } from './schema.ts';
import { type ScopeParts, scopeOf } from './scope.ts';
import { readUsage, type UsageQuestion, usageQuery } from './usage-question.ts';
import { toFigures } from './write-figures.ts';

export interface UsageParts extends ScopeParts, TenantReads {
  readonly sums: SumsStore;
  /** The time in milliseconds. */
  readonly now: () => number;
}

export const usageEndpoint = (parts: UsageParts): AdminEndpoint<typeof usageQuery, Nothing> => ({
  parameters: usageQuery,
  body: nothing,
  answer: async ({ user, parameters, signal }) => ({
    type: 'json',
    body: await listUsage(parts, user, parameters, signal),
  }),
});

async function listUsage(
  parts: UsageParts,
  user: User,
  query: z.output<typeof usageQuery>,
  signal: AbortSignal,
): Promise<UsageAnswer> {
  const now = parts.now();
  const question = readUsage(query, now);
  const scope = await scopeOf(parts, user, question.tenant);
  const { tenant, keys } = scope;
  const after = readAfter(question);
  const gathered =
    tenant === undefined
      ? await gatherAll(parts.sums, question, now)
      : await gatherTenant(parts, { ...question, tenant, keys, signal }, now);
  return writePage(question, gathered, after, scope.seesCost);
}

function readAfter({ group_by: groupBy, after }: UsageQuestion): Names | undefined {
  if (after === undefined) return undefined;
  const names = readCursor(groupBy, after);
  if (!names) throw wrong('after', "must be the 'next_after' of a page with the same 'group_by'");
  return names;
}

function writePage(
  { from, to, group_by: groupBy, limit }: UsageQuestion,
  { sums, source, completeFrom }: GatheredUsage,
  after: Names | undefined,
  seesCost: boolean,
): UsageAnswer {
  const rest = sums.sorted().filter(({ names }) => !after || compare(names, after) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rest.length > page.length;
  return {
    object: 'list',
    data: page.map(({ names, numbers }) => ({
      object: 'usage',
      ...Object.fromEntries(groupBy.map((group, position) => [group, names[position] ?? null])),
      ...toFigures(numbers, seesCost),
    })),
    has_more: hasMore,
    next_after: hasMore && last ? writeCursor(groupBy, last.names) : null,
    from: Math.floor(from / 1000),
    to: Math.floor(to / 1000),
    time_zone: timeZone,
    source,
    complete_from: Math.ceil(completeFrom / 1000),
    group_by: [...groupBy],
    total: toFigures(sums.total(), seesCost),
  };
}
