/** One request whole, by the `x-request-id` of its answer: `GET /admin/v1/requests/{request_id}`. Never a prompt or an answer. */
import type { LedgerItem } from '../../core/accounting/journal.ts';
import type { LedgerAttempt, LedgerRecord } from '../../core/accounting/ledger.ts';
import type { Pricing } from '../../core/accounting/pricing.ts';
import type { Refusal } from '../../core/accounting/refusal.ts';
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { Catalog } from '../../core/ports/catalog.ts';
import type { SumsStore } from '../../core/ports/sums-store.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';
import { writeRequest } from '../../metering/usage/write-request.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { namesOfKeys, type Scope, type ScopeParts, scopeOf } from '../usage/scope.ts';
import { activeTenants } from './active-tenants.ts';
import { aboutRefusal, type RefusedParts } from './refused.ts';
import { aboutRequest, amounts, unknown } from './row.ts';
import { type AttemptAnswer, type RequestAnswer, requestQuery } from './schema.ts';

interface RetrieveParts extends ScopeParts, RefusedParts {
  readonly usage: Pick<UsageStore, 'find'>;
  readonly catalog: Pick<Catalog, 'find'>;
  readonly tenants: { find(name: string): Promise<{ readonly pricing?: Pricing } | undefined> };
  readonly sums: Pick<SumsStore, 'tenantCharges'>;
  /** The time in milliseconds. */
  readonly now: () => number;
}

export const retrieveEndpoint = (parts: RetrieveParts) =>
  endpointOf(parts, requestQuery, nothing, retrieveRequest);

async function retrieveRequest(
  parts: RetrieveParts,
  user: User,
  { request_id: id, tenant }: { readonly request_id: string; readonly tenant?: string | undefined },
): Promise<RequestAnswer> {
  const scope = await scopeOf(parts, user, tenant);
  const known = await findItem(parts, scope, id);
  const refusal = known ? undefined : await findRefusal(parts, scope, id);
  const item = known ?? (refusal && { state: 'done' as const, record: refusal.record });
  if (!item || (scope.keys && !scope.keys.has(item.record.key))) throw notFound(id);
  const { record } = item;
  const pricing = (await parts.tenants.find(record.tenant))?.pricing;
  const written = await writeRequest(parts, item, pricing);
  const isOpen = written.status === 'open';
  const names = await namesOfKeys(parts, [record.tenant]);
  const about = aboutRequest(record, { names, seesCost: scope.seesCost }, isOpen);
  return {
    ...about,
    object: 'request',
    guardrails: written.guardrails,
    status: written.status === 'interrupted' ? 'interrupted' : about.status,
    attempts: written.attempts.map((attempt, index) => ({
      ...attempt,
      ...timesOf(record, index, isOpen),
      arithmetic: attempt.arithmetic && [...attempt.arithmetic],
      ...amounts(record.attempts[index] ?? unknown, scope),
    })),
    ...amounts(isOpen ? unknown : record, scope),
    ...(refusal && aboutRefusal(refusal)),
  };
}

function timesOf(
  { at, attempts }: LedgerRecord,
  index: number,
  isOpen: boolean,
): Pick<AttemptAnswer, 'began_after_ms' | 'ended_after_ms'> {
  const attempt: LedgerAttempt | undefined = attempts[index];
  const isRunning = isOpen && index === attempts.length - 1;
  return {
    began_after_ms: Math.max(0, (attempt?.at ?? at) - at),
    ended_after_ms: isRunning || attempt?.endedAt === undefined ? null : Math.max(0, attempt.endedAt - at),
  };
}

/** Without a tenant, those that were active last are searched: the id alone does not name its tenant. */
export async function findItem(
  parts: Pick<RetrieveParts, 'usage' | 'sums' | 'now'>,
  scope: Scope,
  id: string,
): Promise<LedgerItem | undefined> {
  return await firstFound(parts, scope, (tenant) => parts.usage.find(tenant, id));
}

const findRefusal = (parts: RetrieveParts, scope: Scope, id: string): Promise<Refusal | undefined> =>
  firstFound(parts, scope, (tenant) => parts.refusals.find(tenant, id));

async function firstFound<Found>(
  parts: Pick<RetrieveParts, 'sums' | 'now'>,
  scope: Scope,
  find: (tenant: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const tenants =
    scope.tenant === undefined ? (await activeTenants(parts.sums, parts.now())).tenants : [scope.tenant];
  const found = await Promise.all(tenants.map(find));
  return found.find((item) => item !== undefined);
}

export const notFound = (id: string) =>
  new GatewayError(
    'not_found',
    `No record of the request '${id.slice(0, 64)}' was found: its record has expired, it was one of many that were refused alike, or it is of a tenant that must be named.`,
    { param: 'request_id' },
  );
