/**
 * Checks a request against the limits of its key, its user and its tenant: holds its maximum in each before a provider is
 * called. The stream of the ledger settles what was held, once the actual use is known.
 *
 * Where the database is unavailable, the tenant's policy decides: its requests are admitted, which is logged, or refused.
 * Nothing is read or written for those without limits.
 */
import type { Admission, Hold, LimitStore, Wanted } from '../../core/accounting/limits.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { failureFields } from '../../core/errors/failure-fields.ts';
import type { Log } from '../../core/ports/log.ts';
import type { CheckOptions, MaxUse } from '../../core/ports/metering.ts';
import type { DatabasePolicy } from '../../core/tenancy.ts';
import type { LimitedRequest, OpenLimits } from '../meter.ts';
import {
  checkRegion,
  countedBy,
  type Limited,
  leastWanted,
  limitedOf,
  outOfBounds,
  policyOf,
  unchecked,
  wantedOf,
} from './limited.ts';
import { anthropicLimitHeaders, limitHeaders } from './limits-headers.ts';
import { createRefusedLately, type RefusedLately } from './refused-lately.ts';

type Store = Pick<LimitStore, 'reserve' | 'preview' | 'cancel' | 'endRunning' | 'endUnrecorded'>;

interface LimitsOptions {
  readonly store: Store;
  readonly log: Log;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** A random id with this prefix. */
  readonly newId: (prefix: string) => string;
  /** The region that serves callers with credit, if it is another one. */
  readonly creditElsewhere?: string | undefined;
}

/** Few requests are refused. */
const loadRefusals = () => import('./limits-refusal.ts');

/** What one scope holds. */
interface Held {
  readonly of: Limited;
  readonly hold: Hold;
  /** False: the database was unavailable, and only the actual use will count. */
  readonly isChecked: boolean;
}

/** What the requests of a process share. */
interface LimitsParts extends LimitsOptions {
  readonly lately: RefusedLately;
}

export function createOpenLimits(options: LimitsOptions): OpenLimits {
  const parts = { ...options, lately: createRefusedLately(options.now) };
  return (key, requestId, user, kept = []) => {
    const limited = limitedOf(key, user);
    checkRegion(limited, options.creditElsewhere);
    if (limited.length === 0 && kept.length === 0) return undefined;
    return openRequest(limited, kept, { ...parts, policy: policyOf(key), requestId });
  };
}

interface RequestParts extends LimitsParts {
  readonly policy: DatabasePolicy;
  readonly requestId: string;
}

function openRequest(
  limited: readonly Limited[],
  kept: readonly Hold[],
  options: RequestParts,
): LimitedRequest {
  const { store, log, now, lately, policy, requestId } = options;
  const held: Omit<Held, 'of'>[] = kept.map((hold) => ({ hold, isChecked: true }));
  const onUnavailable = (error: unknown) => {
    log.warn('limits not checked', { request_id: requestId, policy, ...failureFields(error) });
    if (policy === 'refuse') throw unavailable(error);
  };
  /** Once for each request. Where the database is unavailable, the reservation finds that out, too. */
  let previews: Promise<readonly (Admission | undefined)[]> | undefined;
  const preview = ({ scope, limits }: Limited) =>
    store.preview(scope, limits, leastWanted(now())).catch(() => undefined);
  return {
    async check({ mayRead, mayBeFree }) {
      const known = limited.map(({ scope, limits }) => lately.find(scope, limits));
      if (mayRead && !known.some(Boolean)) previews ??= Promise.all(limited.map(preview));
      const found = (await previews) ?? known;
      for (const [index, one] of limited.entries()) {
        const admission = found[index];
        if (admission?.refusedBy) await refuseUsedUp(one, admission, mayBeFree, options);
      }
    },
    async admit(max) {
      for (const { scope, limits } of limited) {
        const use = countedBy(limits, max);
        if (outOfBounds(limits, use)) (await loadRefusals()).checkBounds({ kind: scope.kind, limits }, use);
      }
      const admitted = await admit(limited, max, { ...options, onUnavailable, isFurther: held.length > 0 });
      held.push(...admitted.held);
      return admitted.output;
    },
    async preview(max) {
      const { previewAdmission } = await import('./preview-admission.ts');
      return await previewAdmission(limited, max, { store, now, onUnavailable });
    },
    holds: () => held.map(({ hold }) => hold),
    headers(form) {
      const counted = limited.flatMap(({ limits, usage }) => (usage ? [{ limits, usage }] : []));
      const headers = limitHeaders(counted, now());
      return form === 'anthropic' ? { ...headers, ...anthropicLimitHeaders(counted) } : headers;
    },
    async release(end) {
      await Promise.all(
        held.map(async ({ hold, isChecked }) => {
          if (end === 'not served') {
            if (!isChecked) return;
            lately.forget(hold);
            await store.cancel(hold);
          } else if (hold.running === 1) {
            await (end === 'recorded' ? store.endRunning(hold) : store.endUnrecorded(hold));
          }
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

interface AdmitOptions extends LimitsParts {
  /** Throws if the request must not pass unchecked. */
  readonly onUnavailable: (error: unknown) => void;
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
  let output = max.output.max;
  try {
    for (const one of limited) {
      const use = countedBy(one.limits, max);
      const wanted = wantedOf(use, output, { id: newId(''), at: now(), ...(isFurther && { isFurther }) });
      const admission = await reserve(one, wanted, options);
      output = admission?.output ?? output;
      held.push({
        of: one,
        hold: {
          ...(admission?.hold ?? unchecked(one, wanted.at)),
          ...(use.ownKeys && { includesOwnKeys: true }),
        },
        isChecked: admission !== undefined,
      });
    }
  } catch (error) {
    await Promise.all(held.map((one) => cancel(one, options)));
    throw error;
  }
  return { held, output };
}

/** What cannot be cancelled counts until it is found to be leaked. */
async function cancel({ of, hold, isChecked }: Held, { store, lately }: LimitsParts): Promise<void> {
  if (!isChecked) return;
  lately.forget(hold);
  const { usage } = of;
  if (usage) of.usage = { ...usage, requests: usage.requests - 1, tokens: usage.tokens - hold.tokens };
  await store.cancel(hold).catch(() => {});
}

/** Undefined where the database is unavailable. Throws the refusal of a limit. */
async function reserve(one: Limited, wanted: Wanted, options: AdmitOptions): Promise<Admission | undefined> {
  const { scope, limits, sharding } = one;
  let admission: Admission;
  try {
    admission = await options.store.reserve(scope, limits, wanted, sharding);
  } catch (error) {
    options.onUnavailable(error);
    return undefined;
  }
  if (admission.refusedBy) throw await refuse(one, admission, wanted.output, options);
  one.usage = admission.usage;
  return admission;
}

/** Notes a refusal, and gives its error. */
async function refuse(
  one: Limited,
  admission: Admission,
  output: MaxUse['output'],
  { lately, now }: LimitsParts,
): Promise<GatewayError> {
  const { scope, limits } = one;
  const { refusedBy = 'contention', isHeld, usage } = admission;
  one.usage = usage;
  lately.note(scope, limits, admission);
  const refused = { kind: scope.kind, limits, refusedBy, usage, output, now: now() };
  const { refusalOf } = await loadRefusals();
  return refusalOf({ ...refused, ...(isHeld && { isHeld }) });
}

/** Throws, unless the request may need nothing of what is used up. */
async function refuseUsedUp(
  one: Limited,
  admission: Admission,
  mayBeFree: CheckOptions['mayBeFree'],
  parts: LimitsParts,
): Promise<void> {
  const { refusedBy } = admission;
  const countsAll = refusedBy === 'requestsPerMinute' || refusedBy === 'concurrentRequests';
  // Where that is not known, the reservation decides.
  if (!countsAll && (await mayBeFree().catch(() => true))) return;
  throw await refuse(one, admission, leastWanted(0).output, parts);
}
