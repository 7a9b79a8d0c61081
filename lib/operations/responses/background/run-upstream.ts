/** What a provider creates for a run: noted with it, handed over to the next worker, and deleted there at the end. */
import type {
  BackgroundStore,
  Run,
  RunRef,
  RunUpstream,
  UpstreamResponse,
} from '../../../core/background.ts';
import { failureFields } from '../../../core/errors/failure-fields.ts';
import type { Log } from '../../../core/ports/log.ts';
import { endUpstream } from '../../../pipeline/generation/end-upstream.ts';
import type { PipelineParts } from '../../../pipeline/parts.ts';

/** Ends what a provider goes on with, and deletes its copy. */
export type EndUpstream = (left: UpstreamResponse, warn: RunUpstream['warn']) => Promise<void>;

export const endingAt =
  (parts: PipelineParts): EndUpstream =>
  (left, warn) =>
    endUpstream(parts, left, warn);

interface UpstreamParts {
  readonly runs: Pick<BackgroundStore, 'noteUpstream'>;
  readonly log: Pick<Log, 'warn'>;
  readonly end: EndUpstream;
}

const removal = 'background response not deleted at its provider';

const warningOf =
  (log: UpstreamParts['log'], { tenant, id }: RunRef): RunUpstream['warn'] =>
  (problem, cause) =>
    log.warn(problem, { tenant, response_id: id, ...failureFields(cause) });

/** Ends what a provider goes on with for a run that has ended. Never rejects. */
export function endingOf({ log, end }: Omit<UpstreamParts, 'runs'>, run: RunRef) {
  const warn = warningOf(log, run);
  return async (left: UpstreamResponse) => await end(left, warn).catch((cause) => warn(removal, cause));
}

/** Of one worker. `noticed`: called when it can be handed over. */
export function upstreamOf({ runs, log, end }: UpstreamParts, run: Run, worker: string, noticed: () => void) {
  const warn = warningOf(log, run);
  const removals: (() => Promise<void>)[] = [];
  let noted = run.upstream;
  let isHandedOver = false;
  let isComplete = false;
  let isLost = false;
  const upstream: RunUpstream = {
    id: run.id,
    begun: run.upstream,
    async note(response, remove) {
      removals.push(remove);
      if (response.id === noted?.id) return;
      // A worker that hands over meanwhile writes it, too.
      noted = response;
      noticed();
      await runs.noteUpstream(run, worker, response);
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
    /** The run is not the worker's own any longer: whether it is another's. */
    lose(found: Run | undefined): boolean {
      isLost = found !== undefined && found.status !== 'cancelled' && found.status !== 'failed';
      isHandedOver ||= isLost;
      return isLost;
    },
    isLost: () => isLost,
    /** What it reads on; undefined where it must not. */
    left: () => (isHandedOver ? noted : undefined),
    /** From now on, there is nothing to read on. */
    complete() {
      isComplete = true;
      isHandedOver = false;
    },
    /** Deletes what the provider has. Never rejects. */
    async remove() {
      isHandedOver = false;
      for (const remove of removals) await remove().catch((cause) => warn(removal, cause));
      // The worker has failed before it read on.
      if (removals.length === 0 && run.upstream) await endingOf({ log, end }, run)(run.upstream);
    },
  };
}
