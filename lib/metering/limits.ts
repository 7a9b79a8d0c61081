/**
 * Checks a request against the limits of its key, its user and its tenant: holds its maximum in each before a provider is
 * called. The stream of the ledger settles what was held, once the actual use is known.
 *
 * Where the database is silent, the tenant's policy decides: its requests are admitted, which is logged, or refused.
 * Nothing is read or written for those without limits.
 */
import {
  type Admission,
  type Hold,
  type LimitScope,
  type LimitStore,
  type LimitUsage,
  type Sharding,
  scopeOfKey,
  scopeOfUser,
  shardingFor,
  type Wanted,
} from '../core/accounting/limits.ts';
import { GatewayError } from '../core/errors.ts';
import type { ApiKey } from '../core/ports/api-keys.ts';
import type { Log } from '../core/ports/log.ts';
import type { MaxUse } from '../core/ports/metering.ts';
import { type DatabasePolicy, isLimited, type Limits } from '../core/tenancy.ts';
import { nameOf } from './deadline.ts';
import { limitHeaders } from './limits-headers.ts';
import { checkBounds, refusalOf } from './limits-refusal.ts';
import type { LimitedRequest, OpenLimits } from './meter.ts';

type Store = Pick<LimitStore, 'reserve' | 'cancel' | 'endRunning'>;

export interface LimitsOptions {
  readonly store: Store;
  readonly log: Log;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** A random id with this prefix. */
  readonly newId: (prefix: string) => string;
}

/** A key, a user or a tenant that has limits, and its state for one request. */
interface Limited {
  readonly scope: LimitScope;
  readonly limits: Limits;
  readonly sharding: Sharding;
  usage?: LimitUsage;
}

/** What one scope holds. */
interface Held {
  readonly of: Limited;
  readonly hold: Hold;
  /** False: the database was silent, and only the actual use will count. */
  readonly isChecked: boolean;
}

export function createOpenLimits(options: LimitsOptions): OpenLimits {
  return (key, requestId, user) => {
    const limited = limitedOf(key, user);
    return limited.length === 0 ? undefined : openRequest(limited, policyOf(key), requestId, options);
  };
}

/** The narrowest first: what a key may not do costs its tenant nothing. */
function limitedOf(key: ApiKey, user: string | undefined): readonly Limited[] {
  const { limits = {}, userLimits = {}, throughput } = key.tenantPolicy ?? {};
  const sharding = shardingFor(throughput);
  const scopes: readonly Limited[] = [
    { scope: scopeOfKey(key), limits: key.keyPolicy?.limits ?? {}, sharding },
    ...(user === undefined
      ? []
      : [{ scope: scopeOfUser(key.tenant, user), limits: userLimits, sharding: {} }]),
    { scope: { kind: 'tenant', id: key.tenant }, limits, sharding },
  ];
  return scopes.filter((one) => isLimited(one.limits));
}

/** A tenant that has paid in advance must not use more than that. */
function policyOf({ keyPolicy, tenantPolicy }: ApiKey): DatabasePolicy {
  const isPrepaid = [keyPolicy, tenantPolicy].some((policy) => policy?.limits?.credit !== undefined);
  return tenantPolicy?.onDatabaseFailure ?? (isPrepaid ? 'refuse' : 'admit');
}

function openRequest(
  limited: readonly Limited[],
  policy: DatabasePolicy,
  requestId: string,
  options: LimitsOptions,
): LimitedRequest {
  const { store, log, now } = options;
  const held: Held[] = [];
  const onSilence = (error: unknown) => {
    log.warn('limits not checked', { request_id: requestId, policy, reason: nameOf(error) });
    if (policy === 'refuse') throw unavailable(error);
  };
  return {
    async admit(max) {
      for (const { scope, limits } of limited) checkBounds({ kind: scope.kind, limits }, max);
      const admitted = await admit(limited, max, { ...options, onSilence, isFurther: held.length > 0 });
      held.push(...admitted.held);
      return admitted.output;
    },
    holds: () => held.map(({ hold }) => hold),
    headers() {
      const counted = limited.flatMap(({ limits, usage }) => (usage ? [{ limits, usage }] : []));
      return limitHeaders(counted, now());
    },
    async release(wasServed) {
      await Promise.all(
        held.map(async ({ hold, isChecked }) => {
          if (wasServed && hold.running === 1) await store.endRunning(hold);
          if (!wasServed && isChecked) await store.cancel(hold);
        }),
      );
    },
  };
}

const unavailable = (cause: unknown) =>
  new GatewayError(
    'limits_unavailable',
    'The limits of this API key cannot be checked at the moment. Try again soon.',
    {
      cause,
    },
  );

interface AdmitOptions extends LimitsOptions {
  /** Throws if the request must not pass unchecked. */
  readonly onSilence: (error: unknown) => void;
  /** Whether the request was admitted before, for another attempt. */
  readonly isFurther: boolean;
}

interface Admitted {
  readonly held: readonly Held[];
  /** The output tokens that all scopes grant. */
  readonly output: number;
}

/** One scope after the other, each with the output that those before it grant; if one refuses, what they hold is cancelled. */
async function admit(limited: readonly Limited[], max: MaxUse, options: AdmitOptions): Promise<Admitted> {
  const { newId, now, isFurther } = options;
  const held: Held[] = [];
  let output = max.output.most;
  try {
    for (const one of limited) {
      const wanted = wantedOf(max, output, { id: newId(''), at: now(), ...(isFurther && { isFurther }) });
      const admission = await reserve(one, wanted, options);
      output = admission?.output ?? output;
      held.push({
        of: one,
        hold: admission?.hold ?? unchecked(one, wanted.at),
        isChecked: admission !== undefined,
      });
    }
  } catch (error) {
    await Promise.all(held.map((one) => cancel(one, options.store)));
    throw error;
  }
  return { held, output };
}

/** What cannot be cancelled counts until its period ends. */
async function cancel({ of, hold, isChecked }: Held, store: Store): Promise<void> {
  if (!isChecked) return;
  const { usage } = of;
  if (usage) of.usage = { ...usage, requests: usage.requests - 1, tokens: usage.tokens - hold.tokens };
  await store.cancel(hold).catch(() => {});
}

type WantedBy = Pick<Wanted, 'id' | 'at' | 'isFurther'>;

function wantedOf({ fixed, perOutputToken, output }: MaxUse, most: number, by: WantedBy): Wanted {
  const { least, usual } = output;
  return {
    ...by,
    fixed: { ...fixed, amount: fixed.amount ?? 0 },
    perOutputToken: { ...perOutputToken, amount: perOutputToken.amount ?? 0 },
    output: {
      most,
      least: Math.min(least, most),
      ...(usual !== undefined && { usual: Math.min(usual, most) }),
    },
  };
}

/** Of a request that was admitted while the database was silent. */
const unchecked = ({ scope, limits }: Limited, at: number): Hold => ({
  ...scope,
  minute: Math.floor(at / 60_000),
  day: Math.floor(at / 86_400_000),
  tokens: 0,
  amount: 0,
  running: 0,
  ...(limits.credit !== undefined && { isPrepaid: true }),
});

/** Undefined where the database is silent. Throws the refusal of a limit. */
async function reserve(one: Limited, wanted: Wanted, options: AdmitOptions): Promise<Admission | undefined> {
  const { scope, limits, sharding } = one;
  let admission: Admission;
  try {
    admission = await options.store.reserve(scope, limits, wanted, sharding);
  } catch (error) {
    options.onSilence(error);
    return undefined;
  }
  const { refusedBy, isHeld, usage } = admission;
  one.usage = usage;
  if (!refusedBy) return admission;
  const { output } = wanted;
  const refused = { kind: scope.kind, limits, refusedBy, usage, output, now: options.now() };
  throw refusalOf({ ...refused, ...(isHeld && { isHeld }) });
}
