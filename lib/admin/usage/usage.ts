/**
 * Usage in rows: `GET /admin/v1/usage`. The same questions as `GET /v1/usage` and some more, of the tenants that a user sees. All groups
 * are put in order before a page of them is shown, so that every one can be reached.
 */
import type * as z from 'zod/mini';
import type { Numbers } from '../../core/accounting/sums.ts';
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import type { SumsStore } from '../../core/ports/sums-store.ts';
import { type Names, namesOf } from '../../metering/usage/groups.ts';
import { wrong } from '../../metering/usage/question.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { gatherAll } from './gather-all.ts';
import type { NewestReads } from './gather-newest.ts';
import { gatherTenant, hasHours, type TenantReads } from './gather-tenant.ts';
import type { GatheredUsage } from './gathered.ts';
import { before } from './periods.ts';
import { timeZone, type UsageAnswer } from './schema.ts';
import { namesById, type Scope, type ScopeParts, scopeOf } from './scope.ts';
import { usagePage } from './usage-page.ts';
import { readUsage, type UsageQuestion, usageQuery } from './usage-question.ts';
import { toAmounts, toFigures } from './write-figures.ts';

interface UsageParts extends ScopeParts {
  readonly sums: SumsStore;
  readonly usage: TenantReads['usage'];
  readonly search: NewestReads['search'];
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
  const question = readUsage(query, parts.now());
  const scope = await scopeOf(parts, user, question.tenant);
  if (!scope.seesCost && (question.sort === 'provider_cost' || question.sort === 'margin'))
    throw wrong('sort', `can be '${question.sort}' only for operators`);
  const { from, to, group_by: groupBy } = question;
  const { tenant } = scope;
  const gather = gatherer(parts, scope, signal);
  const gathered = await gather(question);
  const ofKey = groupBy.indexOf('key');
  const keyNames =
    ofKey < 0 ? undefined : namesById(await parts.keys.list(tenant === undefined ? {} : { tenant }));
  const keyNameOf = (names: Names) => keyNames?.get(names[ofKey] ?? '');
  const { page, ...rest } = usagePage(gathered.sums, question, keyNameOf);
  const groups = page.map(({ names }) => names);
  const [details, earlier] = await Promise.all([
    gathered.details?.(groups, question),
    query.include === 'before' ? readBefore(parts, gather, gathered, question, groups) : undefined,
  ]);
  const write = (numbers: Numbers) => toFigures(numbers, scope.seesCost);
  return {
    object: 'list',
    data: page.map(({ names, numbers }, index) => ({
      object: 'usage',
      ...namesOf(groupBy, names),
      ...(keyNames && { key_name: keyNameOf(names) ?? null }),
      ...write(details?.[index] ?? numbers),
      ...(query.include && { before: earlier ? toAmounts(earlier[index] ?? {}, scope.seesCost) : null }),
    })),
    ...rest,
    from: Math.floor(from / 1000),
    to: Math.floor(to / 1000),
    time_zone: timeZone,
    source: gathered.source,
    complete_from: Math.ceil(gathered.completeFrom / 1000),
    group_by: [...groupBy],
    total: write(gathered.total ?? gathered.sums.total()),
  };
}

type Gather = (question: UsageQuestion) => Promise<GatheredUsage>;

const gatherer =
  (parts: UsageParts, { tenant, keys }: Scope, signal: AbortSignal): Gather =>
  async (question) =>
    tenant === undefined
      ? await gatherAll(parts, { ...question, signal }, parts.now())
      : await gatherTenant(parts, { ...question, tenant, keys, signal }, parts.now());

/** The numbers of groups in the equally long span before; undefined where they are not all in sums. */
async function readBefore(
  { sums, now }: UsageParts,
  gather: Gather,
  { source, since, details }: GatheredUsage,
  question: UsageQuestion,
  groups: readonly Names[],
): Promise<readonly Numbers[] | undefined> {
  const span = before(question);
  if (details) return since !== undefined && since <= span.from ? await details(groups, span) : undefined;
  if (source === 'ledger' || (source === 'hourly_counters' && !(await hasHours(sums, span, now()))))
    return undefined;
  const earlier = await gather({ ...question, ...span });
  if (earlier.completeFrom > span.from) return undefined;
  const found = new Map(earlier.sums.sorted().map(({ names, numbers }) => [JSON.stringify(names), numbers]));
  return groups.map((names) => found.get(JSON.stringify(names)) ?? {});
}
