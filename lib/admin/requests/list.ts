/**
 * Requests, newest first: `GET /admin/v1/requests`.
 *
 * One page looks at a bounded number of records, so that it may have fewer rows than asked for although there are more: `searched_to`
 * is how far it looked, and `next_after` goes on from there. Requests that are running are not listed.
 */

import { type AdminEndpoint, type Nothing, nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import type { LedgerSearch } from '../../core/ports/ledger-search.ts';
import type { SumsStore } from '../../core/ports/sums-store.ts';
import { dayMs } from '../../core/time.ts';
import { wrong } from '../../metering/usage/question.ts';
import { namesOfKeys, type ScopeParts, scopeOf } from '../usage/scope.ts';
import { type ActiveTenants, activeTenants } from './active-tenants.ts';
import { markOf, readCursor, writeCursor } from './cursor.ts';
import { matching } from './filters.ts';
import { toRow } from './row.ts';
import {
  defaultRequestPage,
  maxLookedAt,
  type RequestsListAnswer,
  type RequestsListQuery,
  requestsListQuery,
} from './schema.ts';

export interface ListParts extends ScopeParts {
  readonly search: LedgerSearch;
  readonly sums: Pick<SumsStore, 'tenantCharges'>;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Days that the ledger keeps records. */
  readonly ledgerDays: number;
}

export const listEndpoint = (parts: ListParts): AdminEndpoint<typeof requestsListQuery, Nothing> => ({
  parameters: requestsListQuery,
  body: nothing,
  answer: async ({ user, parameters, signal }) => ({
    type: 'json',
    body: await listRequests(parts, user, parameters, signal),
  }),
});

async function listRequests(
  parts: ListParts,
  user: User,
  query: RequestsListQuery,
  signal: AbortSignal,
): Promise<RequestsListAnswer> {
  const time = parts.now();
  // A gateway whose time is ahead may have written later ones.
  const {
    from = time - parts.ledgerDays * dayMs,
    to = time + dayMs,
    limit = defaultRequestPage,
    after,
  } = query;
  if (from >= to) throw wrong('from', "must be before 'to'");
  const scope = await scopeOf(parts, user, query.tenant);
  const { tenants, areAll }: ActiveTenants =
    scope.tenant === undefined
      ? await activeTenants(parts.sums, time)
      : { tenants: [scope.tenant], areAll: true };
  const mark = markOf([{ ...query, after: '', limit: 0 }, scope.tenant ?? '', [...(scope.keys ?? [])]]);
  const position = after === undefined ? undefined : readCursor(mark, after);
  if (after !== undefined && position === undefined)
    throw wrong('after', "must be the 'next_after' of a page of the same question");
  const matches = matching(query, scope);
  const question = { from, to, tenants, matches, limit, maxRead: maxLookedAt, after: position, signal };
  const { records, next, searchedTo, lookedAt } = await parts.search.newest(question);
  const found = [...new Set(records.map(({ tenant }) => tenant))];
  const shown = { seesCost: scope.seesCost, names: await namesOfKeys(parts, found) };
  return {
    object: 'list',
    data: records.map((record) => toRow(record, shown)),
    has_more: next !== undefined,
    next_after: next === undefined ? null : writeCursor(mark, next),
    from: from / 1000,
    to: to / 1000,
    searched_to: searchedTo / 1000,
    looked_at: lookedAt,
    tenants: [...tenants],
    has_all_tenants: areAll,
  };
}
