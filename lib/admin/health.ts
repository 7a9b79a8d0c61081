/**
 * How a deployment did in the last hours, from the sums of the aggregator. What has no sums, or no call in that time, is unknown and never
 * healthy.
 */
import { deploymentCodes, failingShare } from '../core/errors/deployment-codes.ts';
import type { DeploymentSum, DeploymentSums } from '../core/ports/deployment-sums.ts';
import type { HealthAnswer, HealthState } from './health-schema.ts';

/** How far health looks back, in seconds: the hour that runs, and the two before it. */
const healthSeconds = 3 * 3_600;

/** The share of failed calls from which a deployment is degraded. */
const degradedShare = 0.05;

/** Codes of failures that are listed; the most frequent ones are. */
const maxListedCodes = 10;

export interface Recent {
  /** In Unix seconds. */
  readonly since: number;
  readonly sums: readonly DeploymentSum[];
}

/** Undefined where there are no sums, or they cannot be read: a page without health is better than none. */
export async function readRecent(
  sums: DeploymentSums | undefined,
  now: number,
  warn: (cause: unknown) => void,
): Promise<Recent | undefined> {
  const since = Math.floor(now / 1000 / 3_600) * 3_600 - (healthSeconds - 3_600);
  try {
    return sums && { since, sums: await sums.since(since) };
  } catch (cause) {
    warn(cause);
    return undefined;
  }
}

/** The health of the deployments that are chosen, together. */
export function healthOf(
  recent: Recent | undefined,
  isChosen: (sum: DeploymentSum) => boolean,
): HealthAnswer {
  if (!recent) return unknown;
  const chosen = recent.sums.filter(isChosen);
  const attempts = total(chosen.map((sum) => sum.attempts));
  const byCode = new Map<string, number>();
  for (const [code, count] of chosen.flatMap(({ failures }) => Object.entries(failures)))
    byCode.set(code, (byCode.get(code) ?? 0) + count);
  const counts = [...byCode].map(([code, count]) => ({ code, count })).filter(({ count }) => count > 0);
  const ofDeployment = total(
    counts.filter(({ code }) => deploymentCodes.has(code)).map(({ count }) => count),
  );
  const lastTimes = chosen.flatMap(({ lastFailureAt }) => lastFailureAt ?? []);
  return {
    state: stateOf(attempts, ofDeployment),
    since: recent.since,
    attempts,
    failures: total(counts.map(({ count }) => count)),
    failures_by_code: counts.toSorted((one, other) => other.count - one.count).slice(0, maxListedCodes),
    last_failure_at: lastTimes.length > 0 ? Math.max(...lastTimes) : null,
  };
}

/** Without what names how much is called: the calls are those of all tenants. */
export const withoutCounts = ({ state, since }: HealthAnswer): HealthAnswer => ({ ...unknown, state, since });

const unknown: HealthAnswer = {
  state: 'unknown',
  since: null,
  attempts: null,
  failures: null,
  failures_by_code: [],
  last_failure_at: null,
};

function stateOf(attempts: number, failures: number): HealthState {
  if (attempts <= 0) return 'unknown';
  const share = failures / attempts;
  if (share >= failingShare) return 'failing';
  return share >= degradedShare ? 'degraded' : 'healthy';
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
