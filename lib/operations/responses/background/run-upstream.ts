/** What a provider creates for a run: noted with it, handed over to the next worker, and deleted there at the end. */
import type { BackgroundStore, Run, RunUpstream } from '../../../core/background.ts';
import { failureFields } from '../../../core/errors/failure-fields.ts';
import type { Log } from '../../../core/ports/log.ts';

interface UpstreamParts {
  readonly runs: Pick<BackgroundStore, 'noteUpstream'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Of one worker. */
export function upstreamOf({ runs, log }: UpstreamParts, run: Run, worker: string) {
  const facts = { tenant: run.tenant, response_id: run.id };
  const warn: RunUpstream['warn'] = (problem, cause) =>
    log.warn(problem, { ...facts, ...failureFields(cause) });
  const removals: (() => Promise<void>)[] = [];
  let noted = run.upstream;
  let isHandedOver = false;
  let isComplete = false;
  const upstream: RunUpstream = {
    id: run.id,
    begun: run.upstream,
    async note(response, remove) {
      removals.push(remove);
      if (response.id === noted?.id) return;
      noted = undefined;
      if (await runs.noteUpstream(run, worker, response)) noted = response;
    },
    isHandedOver: () => isHandedOver,
    warn,
  };
  return {
    upstream,
    /** Whether another worker can read on. From then on, nothing is cancelled or deleted where it is left. */
    handOver(isAllowed: boolean): boolean {
      isHandedOver ||= isAllowed && noted !== undefined && !isComplete;
      return isHandedOver;
    },
    /** From now on, there is nothing to read on. */
    complete() {
      isComplete = true;
      isHandedOver = false;
    },
    /** Deletes what the provider has. Never rejects. */
    async remove() {
      isHandedOver = false;
      for (const remove of removals)
        await remove().catch((cause) => warn('background response not deleted at its provider', cause));
    },
  };
}
