/** The event that a tenant receives when a background response has ended: one, whichever process finds it, with nothing of it but its id. */
import type { BackgroundStore, Run, RunRef, StartRun } from '../../../core/background.ts';
import { failureFields } from '../../../core/errors/failure-fields.ts';
import type { Log } from '../../../core/ports/log.ts';
import type { Happening } from '../../../core/webhooks/delivery.ts';
import { waitForResponse } from './follow.ts';
import { type BackgroundParts, findRun, signMs } from './run-state.ts';

interface TellParts {
  readonly background: BackgroundParts;
  /** Whether the tenant has a webhook. */
  readonly isListening: (tenant: string) => Promise<boolean>;
}

/** A worker that is gone is found in this time. */
const maxWaitMs = 90_000;

/** A worker with a sign so lately is at work, and sends the event itself. */
const atWorkMs = 3 * signMs;

/**
 * The event of a response; undefined where it was deleted, its tenant has no webhook, or a worker is to send it. The invocation of a
 * worker that broke off is repeated by Lambda: then the response has failed in a moment, and the event says so, or its next worker begins.
 */
export async function readEnd(
  { background, isListening }: TellParts,
  ref: RunRef,
): Promise<Happening | undefined> {
  if (!(await isListening(ref.tenant))) return undefined;
  const run = await findRun(background, ref);
  if (run?.status === 'queued') return undefined;
  if (run?.status === 'in_progress' && background.now() - run.aliveAt < atWorkMs) return undefined;
  const response = await waitForResponse(background, ref, AbortSignal.timeout(maxWaitMs));
  return response && { tenant: ref.tenant, type: `response.${response.status}`, about: ref.id };
}

/** The runs, where each end that is written leads to a worker: it finds nothing to create, and sends the event. */
export function notifyingRuns(
  runs: BackgroundStore,
  start: StartRun | undefined,
  log: Pick<Log, 'warn'>,
): BackgroundStore {
  if (!start) return runs;
  const notify = async ({ tenant, id }: Run, isWritten: boolean) => {
    // The worker of a response that was cancelled sends it, too, if it is still there.
    if (isWritten)
      await start({ tenant, id }).catch((cause) =>
        log.warn('end of response not announced', failureFields(cause)),
      );
    return isWritten;
  };
  return {
    ...runs,
    cancel: async (run) => notify(run, await runs.cancel(run)),
    fail: async (run, failure) => notify(run, await runs.fail(run, failure)),
  };
}
