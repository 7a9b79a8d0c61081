/**
 * Recent failures of targets, in this process. A target that keeps failing is tried last for a short while. It is moved back,
 * never removed: a wrong record costs a little time and no answer.
 */
import type { Deployment, Target } from '../core/catalog/model.ts';

export interface Health {
  /** Whether the target failed so often recently that others should be tried first. */
  isFailing(target: Target): boolean;
  failed(target: Target): void;
  succeeded(target: Target): void;
}

interface HealthOptions {
  readonly now: () => number;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

interface FailureRecord {
  /** When it failed, oldest first; failures before the last success are forgotten. */
  failures: readonly number[];
  /** Until when it is tried last, in Unix milliseconds; 0 if it never was. */
  lastUntil: number;
}

const maxFailures = 3;
/** Targets whose failures a process remembers. */
export const maxFailedTargets = 2_000;
/** Only failures within this time are counted together. */
const windowMs = 30_000;
/** Short, so that the target is soon tried again; random, so that not all processes do so at once. */
const shortestPauseMs = 10_000;
const longestPauseMs = 20_000;

export function createHealth({ now, random = Math.random }: HealthOptions): Health {
  const records = new Map<string, FailureRecord>();
  return {
    // Nearly always nothing has failed, and no key is made for that.
    isFailing: (target) => records.size > 0 && (records.get(keyOf(target))?.lastUntil ?? 0) > now(),
    failed(target) {
      const key = keyOf(target);
      const known = records.get(key) ?? { failures: [], lastUntil: 0 };
      const since = now() - windowMs;
      const failures = [...known.failures.filter((moment) => moment > since), now()].slice(-maxFailures);
      // A target that fails at the first attempt after a pause has not recovered: one failure is enough.
      const isStillFailing = known.lastUntil > since;
      const isFailing = isStillFailing || failures.length >= maxFailures;
      const pause = shortestPauseMs + random() * (longestPauseMs - shortestPauseMs);
      if (records.size >= maxFailedTargets && !records.has(key)) records.clear();
      records.set(key, { failures, lastUntil: isFailing ? now() + pause : known.lastUntil });
    },
    succeeded(target) {
      if (records.size > 0) records.delete(keyOf(target));
    },
  };
}

/** Failures with a tenant's own credential do not count against other tenants. */
const keyOf = ({ deployment, credential }: Target): string =>
  credential ? `${nameOf(deployment)} ${credential.id}` : nameOf(deployment);

/** Names a deployment: the same one may serve several models of the catalog. */
export function nameOf({ provider, region, upstreamId }: Deployment): string {
  return `${provider} ${region} ${upstreamId}`;
}
