/**
 * What this process remembers of how targets fared lately, so that one that keeps failing is tried last for a short
 * while. It only moves a target back, never out: a wrong memory costs a little time and no answer.
 */
import type { Deployment, Target } from '../core/model.ts';

export interface Health {
  /** Whether the target failed so often of late that others should be asked first. */
  isFailing(target: Target): boolean;
  failed(target: Target): void;
  succeeded(target: Target): void;
}

export interface HealthOptions {
  readonly now: () => number;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

interface Memory {
  /** When it failed, oldest first; failures before the last success are forgotten. */
  failures: readonly number[];
  /** Until when it is tried last; 0 when it never was. */
  lastUntil: number;
}

const maxFailures = 3;
/** Failures further apart than this say nothing together. */
const windowMs = 30_000;
/** Short enough to come back to a target soon, and different in each process, so that they do not all come at once. */
const shortestPauseMs = 10_000;
const longestPauseMs = 20_000;

export function createHealth({ now, random = Math.random }: HealthOptions): Health {
  const records = new Map<string, Memory>();
  return {
    isFailing: ({ deployment }) => (records.get(keyOf(deployment))?.lastUntil ?? 0) > now(),
    failed({ deployment }) {
      const key = keyOf(deployment);
      const known = records.get(key) ?? { failures: [], lastUntil: 0 };
      const since = now() - windowMs;
      const failures = [...known.failures.filter((moment) => moment > since), now()].slice(-maxFailures);
      // One that fails at its first try after a pause has not recovered: it need not fail three times more.
      const isStillFailing = known.lastUntil > since;
      const isFailing = isStillFailing || failures.length >= maxFailures;
      const pause = shortestPauseMs + random() * (longestPauseMs - shortestPauseMs);
      records.set(key, { failures, lastUntil: isFailing ? now() + pause : known.lastUntil });
    },
    succeeded({ deployment }) {
      records.delete(keyOf(deployment));
    },
  };
}

/** Names a deployment: the same one may serve several models of the catalog. */
export function keyOf({ provider, region, upstreamId }: Deployment): string {
  return `${provider} ${region} ${upstreamId}`;
}
