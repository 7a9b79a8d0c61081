/** Asks a provider how far a job is, less often the longer it takes, and ends it there where its batch ends. */
import type { BatchJob } from '../../core/batches.ts';
import type { BatchForm } from '../../providers/batches/batch-form.ts';
import { endingOf, stragglersUntil, type Work } from '../work.ts';
import { settleUnanswered } from './settle.ts';
import { withdraw } from './submit.ts';

/** In pauses of `pollMs`. */
const fewPauses = 10;
const soonPauses = 5;
const latePauses = 15;
const hourPauses = 60;

/** A provider may not find a job that it has just made. */
const missingPauses = 2;

export async function pollSubmitted(work: Work, job: BatchJob, form: BatchForm): Promise<BatchJob> {
  const { parts, held, put } = work;
  const { upstream = {}, submittingAt = 0 } = job;
  const account = await parts.openAccount(job.provider, job.region);
  const ending = endingOf(work);
  let asked = job;
  if (ending && !job.isCancelled) {
    await form.cancel(account, upstream);
    asked = await put({ ...job, isCancelled: true });
  }
  const {
    state,
    problem,
    mayRetry,
    unanswered,
    upstream: known = upstream,
  } = await form.poll(account, upstream);
  const now = parts.now();
  const polls = job.polls + 1;
  const polled = { ...asked, upstream: known, polls };
  if (state === 'ended') {
    const why = unanswered && { unanswered };
    return await put({
      ...polled,
      status: 'ended',
      endedAt: now,
      nextAt: now,
      upstream: { ...known, ...why },
    });
  }
  // It was another job than it seemed to be.
  if (state === 'missing' && upstream.adopted === true) {
    const { upstream: _, ...left } = polled;
    return await put({ ...left, status: 'submitting', polls: 0, nextAt: now });
  }
  const isNew = now - submittingAt < missingPauses * parts.pollMs;
  if (state === 'failed' || (state === 'missing' && !isNew)) {
    if (mayRetry && !ending) return await withdraw(work, polled, form);
    const message = problem ?? 'The provider has given up the job with this request.';
    const why = ending ?? { code: 'provider_job_failed', message };
    return await settleUnanswered(work, polled, why, job.sending);
  }
  if (ending && now >= stragglersUntil(held.current())) return await settleUnanswered(work, polled, ending);
  const pause = ending ? 1 : pausesAt((now - submittingAt) / parts.pollMs);
  return await put({ ...polled, nextAt: now + pause * parts.pollMs });
}

/** After something has lasted so long. */
export const pausesAt = (age: number): number => {
  if (age <= fewPauses) return 1;
  return age < hourPauses ? soonPauses : latePauses;
};
