/**
 * Requests, newest first: `GET /admin/v1/requests`.
 *
 * One page looks at a bounded number of records, so that it may have fewer rows than asked for although there are more: `searched_to`
 * is how far it looked, and `next_after` goes on from there. Of requests that have not ended, all are listed by
 * `status=open`, and those that create responses in the background by `status=running`; those that reached no provider are listed by
 * `status=refused`. No other list has them.
 */
import { createHash } from 'node:crypto';
import { interrupted } from '../../core/accounting/interrupted.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { parseDollars } from '../../core/accounting/money.ts';
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import type { LedgerQuestion, LedgerSearch } from '../../core/ports/ledger-search.ts';
import type { SumsStore } from '../../core/ports/sums-store.ts';
import { dayMs } from '../../core/time.ts';
import { countsOf } from '../../metering/cost/counts.ts';
import { wrong } from '../../metering/usage/question.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { namesOfKeys, type Scope, type ScopeParts, scopeOf } from '../usage/scope.ts';
import { type ActiveTenants, activeTenants } from './active-tenants.ts';
import { newestRefused, type RefusedParts, refusedRow } from './refused.ts';
import { type Shown, toRow } from './row.ts';
import { findRunning, type RunningParts } from './running.ts';
import {
  defaultRequestPage,
  maxLookedAt,
  maxRequestPage,
  type RequestRow,
  type RequestsListAnswer,
  type RequestsListQuery,
  requestsListQuery,
} from './schema.ts';

interface ListParts extends ScopeParts, RunningParts, RefusedParts {
  readonly search: LedgerSearch;
  readonly sums: Pick<SumsStore, 'tenantCharges'>;
  /** Days that the ledger keeps records. */
  readonly ledgerDays: number;
}

export const listEndpoint = (parts: ListParts) => endpointOf(parts, requestsListQuery, nothing, listRequests);

async function listRequests(
  parts: ListParts,
  user: User,
  query: RequestsListQuery,
  _ifMatch: string | undefined,
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
  if (query.status === 'running' || query.status === 'open') return await listRunning(parts, user, query);
  const scope = await scopeOf(parts, user, query.tenant);
  const { tenants, areAll }: ActiveTenants =
    scope.tenant === undefined
      ? await activeTenants(parts.sums, time)
      : { tenants: [scope.tenant], areAll: true };
  const { limit: _, after: __, ...asked } = query;
  const mark = markOf([asked, scope.tenant ?? '', [...(scope.keys ?? [])]]);
  const position = after === undefined ? undefined : readCursor(mark, after);
  if (after !== undefined && position === undefined)
    throw wrong('after', "must be the 'next_after' of a page of the same question");
  const isRefused = query.status === 'refused';
  const matches = matching(isRefused ? { ...query, status: undefined } : query, scope);
  const question = { from, to, tenants, matches, limit, after: position };
  const page = isRefused
    ? await refusedPage(parts, question)
    : await ledgerPage(parts.search, { ...question, maxRead: maxLookedAt, signal });
  const { next, searchedTo, lookedAt } = page;
  const shown = { seesCost: scope.seesCost, names: await namesOfKeys(parts, page.tenants) };
  return {
    object: 'list',
    data: page.rowsFor(shown),
    refused: page.counts?.map((one) => ({ ...one, key_name: shown.names.get(one.key) ?? null })) ?? null,
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

interface Page {
  readonly rowsFor: (shown: Shown) => RequestRow[];
  readonly tenants: readonly string[];
  readonly counts?: Awaited<ReturnType<typeof newestRefused>>['counts'];
  readonly next?: string | undefined;
  /** Unix milliseconds. */
  readonly searchedTo: number;
  readonly lookedAt: number;
}

async function ledgerPage(search: LedgerSearch, question: LedgerQuestion): Promise<Page> {
  const { records, ...page } = await search.newest(question);
  return {
    ...page,
    tenants: tenantsOf(records),
    rowsFor: (shown) => records.map((record) => toRow(record, shown)),
  };
}

async function refusedPage(
  parts: RefusedParts,
  question: Parameters<typeof newestRefused>[1],
): Promise<Page> {
  const { refusals, next, ...page } = await newestRefused(parts, question);
  return {
    next,
    ...page,
    searchedTo: next === undefined ? question.from : Date.parse(next.slice(0, 24)),
    tenants: [...new Set(page.counts.map(({ tenant }) => tenant))],
    rowsFor: (shown) => refusals.map((refusal) => refusedRow(refusal, shown)),
  };
}

const tenantsOf = (records: readonly LedgerRecord[]) => [...new Set(records.map(({ tenant }) => tenant))];

/** In one page, which has the newest ones. */
export async function listRunning(
  parts: ScopeParts & RunningParts,
  user: User,
  query: RequestsListQuery,
): Promise<RequestsListAnswer> {
  const scope = await scopeOf(parts, user, query.tenant);
  const { limit = maxRequestPage } = query;
  const { min_duration_ms: minAge = 0, ...asked } = query;
  const isMatch = matching({ ...asked, status: undefined }, scope);
  const matches = (record: LedgerRecord) => isMatch(record) && parts.now() - record.at >= minAge;
  const onlyBackground = query.status === 'running';
  const found = await findRunning(parts, scope.tenant, { matches, limit, onlyBackground, minAge });
  const tenants = [...new Set(found.running.map(({ record }) => record.tenant))];
  const shown = { seesCost: scope.seesCost, names: await namesOfKeys(parts, tenants) };
  const to = parts.now();
  return {
    object: 'list',
    data: found.running.map(({ record, run }) => ({
      ...toRow(record, shown, true),
      ...(run && { status: run.status === 'queued' ? run.status : 'in_progress', streamed: run.streamed }),
      total_ms: Math.max(0, to - record.at),
    })),
    refused: null,
    has_more: found.hasMore,
    next_after: null,
    from: found.from / 1000,
    to: to / 1000,
    searched_to: found.from / 1000,
    looked_at: found.lookedAt,
    tenants: [...found.tenants],
    has_all_tenants: found.areAll,
  };
}

type Filters = Partial<Omit<RequestsListQuery, 'from' | 'to' | 'tenant' | 'limit' | 'after'>>;

/** Which records of the ledger a question is about. */
function matching(
  { status, model, key, user, provider, error, operation, session, batch, tag, ...filters }: Filters,
  { keys }: Scope,
): (record: LedgerRecord) => boolean {
  const hasStatus = statusTest(status);
  const hasTag = tagTest(tag);
  const hasAmounts = amountTest(filters);
  return (record) =>
    (!keys || keys.has(record.key)) &&
    (key === undefined || record.key === key) &&
    (model === undefined || record.model === model || record.requestedModel === model) &&
    (user === undefined || record.user === user) &&
    (provider === undefined || providersOf(record).includes(provider)) &&
    (error === undefined || record.error === error) &&
    (operation === undefined || record.operation === operation) &&
    (session === undefined || record.session === session) &&
    (batch === undefined || record.batch === batch) &&
    hasStatus(record) &&
    hasAmounts(record) &&
    hasTag(record);
}

const providersOf = ({ provider, attempts }: LedgerRecord): readonly string[] => [
  provider,
  ...attempts.map((attempt) => attempt.provider),
];

function amountTest({
  http_status: status,
  min_cost: cost,
  min_duration_ms: duration = 0,
}: Filters): (record: LedgerRecord) => boolean {
  const minCharge = cost === undefined ? undefined : parseDollars(cost);
  return (record) =>
    (status === undefined || record.status === status) &&
    (minCharge === undefined || (record.charge !== null && record.charge >= minCharge)) &&
    record.totalMs >= duration;
}

function statusTest(status: Filters['status']): (record: LedgerRecord) => boolean {
  if (status === undefined) return () => true;
  if (status === 'interrupted') return ({ error }) => error === interrupted;
  if (status === 'ok' || status === 'failed')
    return (record) => countsOf(record).failed > 0 === (status === 'failed');
  return (record) => record.status === Number(status);
}

/** `name:value`. A name may have colons too, so each of them may end it; without one, any value. */
function tagTest(tag: string | undefined): (record: LedgerRecord) => boolean {
  if (tag === undefined) return () => true;
  return ({ tags = {} }) =>
    Object.entries(tags).some(([name, value]) => name === tag || `${name}:${value}` === tag);
}

/** Characters of a cursor that say of which question it is; a position in the ledger follows. Nothing in it is secret. */
const positionLength = 12;

/** A time with milliseconds, then the id of a request or nothing. */
const position = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z(#.{1,128})?$/s;

/** What a cursor is of: the same question has the same one. */
const markOf = (question: object): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, positionLength);

const writeCursor = (mark: string, next: string): string =>
  Buffer.from(`${mark}${next}`).toString('base64url');

/** Undefined for a cursor of another question, or what is none. */
function readCursor(mark: string, cursor: string): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const next = text.slice(mark.length);
  const isValid = position.test(next) && !Number.isNaN(Date.parse(next.slice(0, 24)));
  return text.startsWith(mark) && isValid ? next : undefined;
}
