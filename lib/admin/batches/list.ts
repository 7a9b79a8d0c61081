/**
 * Batches, newest first: `GET /admin/v1/batches`. Those of a tenant, or without one those of all tenants that have not ended.
 */
import { mapConcurrently } from '../../async/map-concurrently.ts';
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import {
  type Batch,
  type BatchContract,
  type BatchListing,
  type BatchStore,
  batchPrefixes,
} from '../../core/batches.ts';
import { pageOf } from '../page-of.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { namesOfKeys, type ScopeParts, scopeOf } from '../usage/scope.ts';
import { toRow } from './row.ts';
import {
  type BatchesListAnswer,
  type BatchesListQuery,
  batchesListQuery,
  defaultBatchPage,
} from './schema.ts';

interface ListParts extends ScopeParts {
  readonly batches: Pick<BatchStore, 'find' | 'list' | 'open'>;
}

const parallelReads = 16;

export const listEndpoint = (parts: ListParts) => endpointOf(parts, batchesListQuery, nothing, listBatches);

export async function listBatches(
  parts: ListParts,
  user: User,
  { tenant: asked, status, key, after, limit = defaultBatchPage }: BatchesListQuery,
): Promise<BatchesListAnswer> {
  const scope = await scopeOf(parts, user, asked);
  const matches = (batch: Batch) =>
    (!scope.keys || scope.keys.has(batch.key.id)) &&
    (key === undefined || batch.key.id === key) &&
    (status === undefined || batch.status === status);
  const { tenant } = scope;
  const { rows, hasMore, nextAfter } =
    tenant === undefined
      ? await openBatches(parts, { after, limit })
      : await ofTenant(parts.batches, tenant, { after, limit });
  const shownRows = rows.filter(matches);
  const tenants = [...new Set(shownRows.map((batch) => batch.tenant))];
  const shown = { seesCost: scope.seesCost, names: await namesOfKeys(parts, tenants) };
  return {
    object: 'list',
    data: shownRows.map((batch) => toRow(batch, shown)),
    has_more: hasMore,
    next_after: nextAfter,
    has_ended: tenant !== undefined,
  };
}

interface Page {
  readonly rows: readonly Batch[];
  readonly hasMore: boolean;
  readonly nextAfter: string | null;
}

/** The time of an id, and what is random: it sorts those of both contracts. */
const placeOf = (id: string): string => id.replace(/^(msg)?batch_/, '');

const newestFirst = (one: Batch, other: Batch) => (placeOf(one.id) < placeOf(other.id) ? 1 : -1);

/** A page of each contract has all that a page of both may have. */
async function ofTenant(
  batches: ListParts['batches'],
  tenant: string,
  { after, limit }: BatchListing,
): Promise<Page> {
  const lists = await Promise.all(
    Object.entries(batchPrefixes).map(async ([contract, prefix]) => {
      const begin = after === undefined ? undefined : `${prefix}${placeOf(after)}`;
      return await batches.list(tenant, contract as BatchContract, { after: begin, limit });
    }),
  );
  const found = lists.flatMap(({ items }) => items).toSorted(newestFirst);
  const rows = found.slice(0, limit);
  const hasMore = found.length > limit || lists.some((list) => list.hasMore);
  return { rows, hasMore, nextAfter: hasMore ? (rows.at(-1)?.id ?? null) : null };
}

/** They are few: a tenant has at most some of them open. */
async function openBatches({ batches }: ListParts, { after, limit }: BatchListing): Promise<Page> {
  const found = await mapConcurrently(await batches.open(), parallelReads, async ({ tenant, id }) => {
    const batch = await batches.find(tenant, id);
    return batch ? [batch] : [];
  });
  const { page, has_more, next_after } = pageOf(found.flat().toSorted(newestFirst), ({ id }) => id, {
    after,
    limit,
  });
  return { rows: page, hasMore: has_more, nextAfter: next_after };
}
