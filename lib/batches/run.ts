/**
 * The worker of a batch: validate and plan → for each job: reserve, submit, poll, collect → finish. It works until nothing is due or its
 * host ends, and then says when the next one is to begin. Everything is in the table and the stored bytes: it may end at any point.
 */
import type { Batch, BatchJob, BatchRef } from '../core/batches.ts';
import { failureFields } from '../core/errors/failure-fields.ts';
import { becoming, endBatch, finish, sumOfCounts } from './finish.ts';
import { type HeldBatch, LeaseLost, renewMs, takeLease } from './lease.ts';
import { noCounts } from './lines/results.ts';
import { answerLive, type WorkHost } from './live/live.ts';
import { advance, isOpen } from './native/advance.ts';
import { planBatch } from './plan/plan.ts';
import type { BatchParts } from './ports.ts';
import { endingOf, type Work } from './work.ts';

interface BatchHost extends WorkHost {
  /** Begins the next worker at this time, in Unix milliseconds. */
  readonly again: (ref: BatchRef, at: number) => Promise<void>;
}

export type RunBatch = (ref: BatchRef, host: BatchHost) => Promise<void>;

/** So long before its host ends, a worker leaves. */
const leaveMs = 60_000;

/** For longer than this, it is not waited. */
const maxPauseMs = 10_000;

export const createRunBatch =
  (parts: BatchParts): RunBatch =>
  async (ref, host) => {
    const held = await takeLease(parts, ref, parts.newId('worker_'));
    if (!held) return;
    const lost = new AbortController();
    const warn = (message: string, cause: unknown) =>
      parts.log.warn(message, { tenant: ref.tenant, batch: ref.id, ...failureFields(cause) });
    const renewing = setInterval(() => {
      held.renew().catch((cause) => {
        if (cause instanceof LeaseLost) lost.abort(cause);
        else warn('batch not renewed', cause);
      });
    }, renewMs);
    const signal = AbortSignal.any([host.signal, lost.signal]);
    let nextAt: number | undefined;
    try {
      nextAt = await work(parts, held, { ...host, signal });
    } catch (thrown) {
      if (thrown instanceof LeaseLost) return;
      parts.log.error('batch failed', { tenant: ref.tenant, batch: ref.id, ...failureFields(thrown) });
      nextAt = parts.now() + parts.pollMs;
    } finally {
      clearInterval(renewing);
    }
    if (nextAt === undefined) return;
    try {
      await held.release(nextAt);
    } catch (cause) {
      if (cause instanceof LeaseLost) return;
      warn('batch not released', cause);
    }
    await host.again(ref, nextAt).catch((cause) => warn('batch not begun again', cause));
  };

/** When there is more to do; undefined: the batch has ended. */
async function work(parts: BatchParts, held: HeldBatch, host: WorkHost): Promise<number | undefined> {
  if (held.current().status === 'validating') await begin(parts, held);
  if (held.current().status === 'cancelling' && held.current().jobs === 0) {
    await endBatch(parts, held, 'cancelled');
    return undefined;
  }
  if (held.current().jobs === 0) return undefined;
  return await workOn(parts, held, host);
}

/** Validates and plans. */
async function begin(parts: BatchParts, held: HeldBatch): Promise<void> {
  const check = async () => {
    await held.renew();
    if (held.current().status === 'cancelling') throw new Cancelled();
  };
  const batch = held.current();
  const planned = await planBatch(parts, batch, check).catch((thrown: unknown) => {
    if (thrown instanceof Cancelled) return undefined;
    throw thrown;
  });
  if (!planned) return;
  if ('problems' in planned)
    return await endBatch(parts, held, 'failed', { problems: planned.problems, counts: noCounts });
  const { jobs, plan, total } = planned;
  if (batch.dryRun) {
    const names = jobs.flatMap((job) =>
      Object.values(job.parts).flatMap((list) => list.map(({ name }) => name)),
    );
    await parts.bytes.delete(names);
    return await endBatch(parts, held, 'completed', { plan, counts: { ...noCounts, total } });
  }
  for (const [n, { priceFactor: _, ...job }] of jobs.entries()) await held.putJob({ n, ...job });
  // Only now do they count: those of an earlier pass that was not ended do not.
  await held.change((current) => ({
    jobs: jobs.length,
    plan,
    counts: { ...noCounts, total },
    ...(current.status === 'validating' && becoming('in_progress', parts.now())(current)),
  }));
}

class Cancelled extends Error {}

async function workOn(parts: BatchParts, held: HeldBatch, host: WorkHost): Promise<number | undefined> {
  const stored = await parts.batches.jobs(held.current());
  const jobs: BatchJob[] = stored.filter(({ n }) => n < held.current().jobs);
  const put = async (job: BatchJob) => {
    await held.putJob(job);
    jobs.splice(
      jobs.findIndex(({ n }) => n === job.n),
      1,
      job,
    );
    return job;
  };
  const shared: Work = { parts, held, jobs: () => jobs, put };
  let live: Promise<void> | undefined;
  let failure: unknown;
  let renewedAt = parts.now();
  /** Jobs need not wait for their time to be cancelled. */
  let isEnding = false;
  const isLive = ({ by }: BatchJob) => by === 'live';
  const startLive = () => {
    const next = jobs.find((job) => isLive(job) && job.status !== 'settled');
    if (live || !next || host.remainingMs() < leaveMs) return;
    live = answerLive(shared, next, host)
      .catch((thrown: unknown) => {
        failure = thrown;
      })
      .finally(() => {
        live = undefined;
      });
  };
  for (;;) {
    if (failure !== undefined) throw failure;
    if (host.signal.reason instanceof LeaseLost) throw host.signal.reason;
    if (parts.now() - renewedAt >= renewMs) {
      await held.renew();
      renewedAt = parts.now();
    }
    const isLeaving = host.signal.aborted || host.remainingMs() < leaveMs;
    if (isLeaving && !live) return parts.now();
    if (!isLeaving) startLive();
    if (!isEnding && endingOf(shared)) {
      isEnding = true;
      for (const [at, job] of jobs.entries()) jobs[at] = { ...job, nextAt: 0 };
    }
    const open = jobs.filter((job) => !isLive(job) && isOpen(job));
    const due = open.find(({ nextAt }) => nextAt <= parts.now());
    if (due && !isLeaving) {
      await advance(shared, due);
      await noteCounts(held, jobs);
      continue;
    }
    if (!live && open.length === 0 && jobs.every(({ status }) => status === 'settled')) {
      await finish(shared);
      return undefined;
    }
    const expiresAt = isEnding ? Number.POSITIVE_INFINITY : held.current().expiresAt * 1_000;
    const nextAt = Math.min(expiresAt, ...open.map((job) => job.nextAt));
    const pauseMs = Math.min(nextAt - parts.now(), maxPauseMs);
    if (!live && nextAt - parts.now() > maxPauseMs) return nextAt;
    const pause = parts.sleep(Math.max(0, Math.min(pauseMs, maxPauseMs)), host.signal);
    await (live ? Promise.race([live, pause]) : pause);
    await noteCounts(held, jobs);
  }
}

async function noteCounts(held: HeldBatch, jobs: readonly BatchJob[]): Promise<void> {
  const counts = sumOfCounts(jobs);
  const known = held.current().counts;
  const isSame = (Object.keys(counts) as (keyof Batch['counts'])[]).every(
    (name) => counts[name] === known[name],
  );
  if (!isSame) await held.change(() => ({ counts }));
}
