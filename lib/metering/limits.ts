/**
 * Checks a request against the limits of its key and its tenant: reserves its maximum in both before a provider is called,
 * and replaces the reservation by the actual use when the request ends.
 *
 * The database must not become an outage: limits that cannot be checked in time let the request pass, and the log says so.
 * Nothing is read or written for those without limits.
 */
import { retry } from '../async/retry.ts';
import { type LimitScope, scopeOfKey } from '../core/accounting/limits.ts';
import type {
  Reservation,
  ReservationStore,
  ReservationUsage,
  Use,
} from '../core/accounting/reservations.ts';
import type { GatewayError } from '../core/errors.ts';
import type { ApiKey } from '../core/ports/api-keys.ts';
import type { Log } from '../core/ports/log.ts';
import type { MaxUse } from '../core/ports/metering.ts';
import { isLimited, type Limits } from '../core/tenancy.ts';
import { nameOf } from './deadline.ts';
import { limitHeaders } from './limits-headers.ts';
import { checkBounds, owners, refusalOf } from './limits-refusal.ts';
import type { ActualUse, LimitedRequest, OpenLimits } from './meter.ts';

export interface LimitsOptions {
  readonly store: Pick<ReservationStore, 'reserve' | 'finalize'>;
  readonly log: Log;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** A random id with this prefix. */
  readonly newId: (prefix: string) => string;
}

/** A key or a tenant that has limits, and its state for one request. */
interface Limited {
  readonly scope: LimitScope;
  readonly limits: Limits;
  usage?: ReservationUsage;
  /** Whether a reservation is known to exist. */
  isHeld: boolean;
}

export function createOpenLimits(options: LimitsOptions): OpenLimits {
  return (key, requestId) => {
    const limited = limitedOf(key);
    return limited.length === 0 ? undefined : openRequest(limited, requestId, options);
  };
}

/** For scopes without a limit of concurrent requests: the item holds each running request, and its size is limited. */
const ceiling: Limits = { concurrentRequests: 2_000 };

/** The key first: what it may not do costs its tenant nothing. */
function limitedOf(key: ApiKey): readonly Limited[] {
  const scopes: readonly Limited[] = [
    { scope: scopeOfKey(key), limits: key.keyPolicy?.limits ?? {}, isHeld: false },
    { scope: { kind: 'tenant', id: key.tenant }, limits: key.tenantPolicy?.limits ?? {}, isHeld: false },
  ];
  return scopes
    .filter(({ limits }) => isLimited(limits))
    .map((one) => ({ ...one, limits: { ...ceiling, ...one.limits } }));
}

function openRequest(limited: readonly Limited[], requestId: string, options: LimitsOptions): LimitedRequest {
  const { log, now, newId } = options;
  let reserved: Reserved | undefined;
  return {
    async admit(most) {
      for (const { scope, limits } of limited) checkBounds(owners[scope.kind], limits, most);
      const wanted = reservedFor(most, newId(''), now());
      const refusal = await reserve(limited, wanted, options, (reason) =>
        log.warn('limits not checked', { request_id: requestId, reason }),
      );
      if (refusal) throw refusal;
      reserved = wanted;
    },
    headers() {
      const counted = limited.flatMap(({ limits, usage }) => (usage ? [{ limits, usage }] : []));
      return limitHeaders(counted, now());
    },
    async release(actual) {
      const held = reserved;
      if (!held) return;
      const finalized = await Promise.allSettled(
        limited.map((one) => finalize(one, held, actual, options.store)),
      );
      const failed = finalized.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    },
  };
}

/** The reservation of a request, without its scope. */
type Reserved = Omit<Reservation, 'isPrepaid'>;

const reservedFor = (
  { fixed, perOutputToken, output: { most } }: MaxUse,
  id: string,
  at: number,
): Reserved => ({
  id,
  at,
  tokens: fixed.tokens + most * perOutputToken.tokens,
  cost: (fixed.amount ?? 0) + most * (perOutputToken.amount ?? 0),
});

const reservationOf = ({ limits }: Limited, reserved: Reserved): Reservation => ({
  ...reserved,
  isPrepaid: limits.credit !== undefined,
});

/** One scope after the other; if one refuses, the reservations of those before it are cancelled. */
async function reserve(
  limited: readonly Limited[],
  reserved: Reserved,
  { store, now }: LimitsOptions,
  notChecked: (reason: string) => void,
): Promise<GatewayError | undefined> {
  for (const [index, one] of limited.entries()) {
    const { scope, limits } = one;
    const reservation = reservationOf(one, reserved);
    const admission = await store.reserve(scope, limits, reservation).catch((error: unknown) => {
      notChecked(nameOf(error));
    });
    if (!admission) continue;
    const { refusedBy, usage } = admission;
    one.usage = usage;
    one.isHeld = refusedBy === undefined;
    if (!refusedBy) continue;
    await Promise.all(limited.slice(0, index).map((before) => cancel(before, reserved, store)));
    const waitMs = usage.minuteEnds - now();
    return refusalOf({ refusedBy, owner: owners[scope.kind], limits, waitMs });
  }
  return undefined;
}

const nothing: Use = { requests: 0, tokens: 0, cost: 0 };

async function cancel(one: Limited, reserved: Reserved, store: LimitsOptions['store']): Promise<void> {
  const { scope, usage } = one;
  one.isHeld = false;
  if (usage) {
    const { requests, tokens } = usage;
    one.usage = { ...usage, requests: requests - 1, tokens: tokens - reserved.tokens };
  }
  // A reservation that cannot be cancelled expires.
  await store.finalize(scope, reservationOf(one, reserved), nothing).catch(() => false);
}

/**
 * The pauses between attempts to finalize: the meter waits for two seconds. A reservation that is not finalized counts until
 * it expires, and the actual use is then not counted.
 */
const pausesMs = [100, 400];

async function finalize(
  one: Limited,
  reserved: Reserved,
  actual: ActualUse | undefined,
  store: LimitsOptions['store'],
): Promise<void> {
  const { scope, isHeld } = one;
  const reservation = reservationOf(one, reserved);
  const use = actual
    ? { requests: 1, tokens: actual.tokens ?? reserved.tokens, cost: actual.cost ?? reserved.cost }
    : nothing;
  // Whether it was reserved is unknown. Reserving it again here ensures that it counts exactly once.
  if (!isHeld && actual) await retry(() => reserveAgain(store, scope, reservation), { pausesMs });
  await retry(() => store.finalize(scope, reservation, use), { pausesMs });
}

async function reserveAgain(
  store: LimitsOptions['store'],
  scope: LimitScope,
  reservation: Reservation,
): Promise<void> {
  const { refusedBy } = await store.reserve(scope, {}, reservation);
  if (refusedBy) throw new Error('The use could not be counted.');
}
