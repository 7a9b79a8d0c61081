/**
 * Raises an alert where most calls of a provider fail, and another one when that is over. Every process of the aggregator may look; one does
 * in each five minutes, at the sums of all of them: what was counted since the look before.
 */
import { hourOf, startOf } from '../../core/accounting/sums.ts';
import { deploymentCodes, failingShare } from '../../core/errors/deployment-codes.ts';
import type { ProviderAlert } from '../../core/ports/alerts.ts';
import type { DeploymentSum, DeploymentSums } from '../../core/ports/deployment-sums.ts';
import type { Calls, ProviderWatch, WatchStore } from '../../core/ports/provider-watch.ts';
import { hourMs, minuteMs } from '../../core/time.ts';

interface WatchOptions {
  readonly store: WatchStore;
  readonly sums: DeploymentSums;
  readonly send: (alert: ProviderAlert) => Promise<void>;
  /** The time in milliseconds. */
  readonly now: () => number;
}

export type WatchProviders = () => Promise<void>;

const pauseMs = 5 * minuteMs;

/** Of fewer calls, a few callers' bad luck would be most. */
const minCalls = 5;

/** A provider that was not called for so long is failing no longer, and what was counted before a look that is older is not compared. */
const idleMs = 3 * hourMs;

export function createWatchProviders({ store, sums, send, now }: WatchOptions): WatchProviders {
  let lookedAt = Number.NEGATIVE_INFINITY;
  const callsIn = async (hour: string) => callsOf(await sums.since(startOf(hour) / 1000));
  return async () => {
    const time = now();
    if (lookedAt + pauseMs > time) return;
    lookedAt = time;
    const before = await store.start(pauseMs);
    if (!before) return;
    const [hour, hourBefore] = [firstHour(time), firstHour(before.at)];
    const calls = await callsIn(hour);
    const isLongAgo = time - before.at > idleMs;
    const since = hour === hourBefore || isLongAgo ? calls : await callsIn(hourBefore);
    const { failing, alerts } = judge(before, isLongAgo ? before.calls : since, time);
    // A process that ends between these finds the same again, under the same ids.
    for (const alert of alerts) await send(alert);
    await store.end({ at: time, calls, failing });
  };
}

/** A request counts in the hour in which it began, and may end in the next one. */
const firstHour = (time: number) => hourOf(time - hourMs);

const none: Calls = { attempts: 0, failures: 0 };

/** By the names of providers. */
function callsOf(sums: readonly DeploymentSum[]): ProviderWatch['calls'] {
  const calls: Record<string, Calls> = {};
  for (const { provider, attempts, failures } of sums) {
    const known = calls[provider] ?? none;
    const failed = Object.entries(failures).filter(([code]) => deploymentCodes.has(code));
    calls[provider] = {
      attempts: known.attempts + attempts,
      failures: failed.reduce((sum, [, count]) => sum + count, known.failures),
    };
  }
  return calls;
}

/** `calls`: since the first hour of the look before. */
function judge(before: ProviderWatch, calls: ProviderWatch['calls'], at: number) {
  const failing: Record<string, { since: number; seenAt: number }> = {};
  const alerts: ProviderAlert[] = [];
  for (const provider of new Set([...Object.keys(calls), ...Object.keys(before.failing)])) {
    const [all, counted] = [calls[provider] ?? none, before.calls[provider] ?? none];
    const attempts = Math.max(0, all.attempts - counted.attempts);
    const failures = Math.max(0, all.failures - counted.failures);
    const mostFail = attempts > 0 && failures >= attempts * failingShare;
    const known = before.failing[provider];
    if (!known && !(mostFail && attempts >= minCalls)) continue;
    const { since, seenAt } = known ?? { since: before.at, seenAt: at };
    const alert = { id: `alert_${provider}_${since}`, at, provider, since, attempts, failures };
    const isOver = !mostFail && (attempts > 0 || at - seenAt > idleMs);
    if (isOver) alerts.push({ ...alert, id: `${alert.id}_over`, until: at });
    else failing[provider] = { since, seenAt: mostFail ? at : seenAt };
    if (!known) alerts.push(alert);
  }
  return { failing, alerts };
}
