/** Takes a job that is due one step further. A step that fails is made again later: nothing of it is lost. */
import type { BatchJob } from '../../core/batches.ts';
import type { BatchForm } from '../../providers/batches/batch-form.ts';
import { LeaseLost } from '../lease.ts';
import { endingOf, stragglersUntil, type Work, warn } from '../work.ts';
import { collectEnded } from './collect.ts';
import { pausesAt, pollSubmitted } from './poll.ts';
import { settleUnanswered } from './settle.ts';
import { findSubmitted, removeUpstream, submitPlanned } from './submit.ts';

type Step = (work: Work, job: BatchJob, form: BatchForm) => Promise<BatchJob>;

const steps: Readonly<Record<Exclude<BatchJob['status'], 'settled'>, Step>> = {
  planned: submitPlanned,
  submitting: findSubmitted,
  submitted: pollSubmitted,
  ended: collectEnded,
};

/** How often it is tried to remove what a provider has of a job. The batch, or the next lines of the job, wait for that. */
const maxRemovals = 4;

export async function advance(work: Work, job: BatchJob): Promise<BatchJob> {
  const { parts, put } = work;
  try {
    const form = await parts.loadForm(job.provider);
    if (!form) {
      const message = 'The provider of these requests has no batch API any more.';
      return await settleUnanswered(work, job, { code: 'batch_not_supported', message });
    }
    if (!isLeftOver(job)) return job.status === 'settled' ? job : await steps[job.status](work, job, form);
    const isRemoved = await removeUpstream(work, job, form);
    const { upstream: _, removals = 1, ...removed } = job;
    if (isRemoved || removals >= maxRemovals) return await put(removed);
    return await put({ ...job, removals: removals + 1, nextAt: parts.now() + parts.pollMs });
  } catch (thrown) {
    if (thrown instanceof LeaseLost) throw thrown;
    warn(work, job, job.status, thrown);
    // As it was written last: the step may have come some way.
    const latest = work.jobs().find(({ n }) => n === job.n) ?? job;
    const ending = endingOf(work);
    // A step that fails each time must not keep a batch open.
    if (ending && latest.status !== 'settled' && parts.now() >= stragglersUntil(work.held.current()))
      return await settleUnanswered(work, latest, ending);
    const now = parts.now();
    const age = (now - (latest.endedAt ?? latest.submittingAt ?? now)) / parts.pollMs;
    return await put({ ...latest, nextAt: now + pausesAt(age) * parts.pollMs });
  }
}

/** What the provider has was read. */
const isLeftOver = ({ status, upstream, hold }: BatchJob): boolean =>
  upstream !== undefined && !hold && (status === 'planned' || status === 'settled');

/** Whether something is still to be done. */
export const isOpen = (job: BatchJob): boolean => job.status !== 'settled' || isLeftOver(job);
