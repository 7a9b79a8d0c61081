/** What a background response is at a moment: its object for callers, and the end of one whose worker is gone. */
import { maxWaitMs } from '../../../core/accounting/interrupted.ts';
import type { BackgroundStore, Run, RunHold, RunRef, StartRun } from '../../../core/background.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { ResponseStore } from '../../../core/stored-response.ts';
import { failed } from '../write/response-object.ts';

export interface BackgroundParts {
  readonly runs: BackgroundStore;
  readonly responses: Pick<ResponseStore, 'find'>;
  /** The time in milliseconds. */
  readonly now: () => number;
  /**
   * Ends the record of a response that never began: it costs nothing, and what was reserved is free. Never rejects: what is left, the
   * aggregator ends.
   */
  readonly release: (hold: RunHold) => Promise<void>;
  /** Absent where no worker can be started. */
  readonly start?: StartRun | undefined;
}

/** How often a worker gives a sign. */
export const signMs = 3_000;

/** Without a sign for so long, the worker is gone. */
const deadMs = 60_000;

/** So long after it was started, a worker that has not begun never will. */
const lostMs = 30_000;

/** How often a worker is asked to begin: a second time may help where the first one was lost. */
const maxStarts = 2;

const died = "The gateway's process ended while it created this response.";
export const neverBegan = 'The gateway did not begin to create this response.';

/**
 * Finds a run. One whose worker is gone has failed, and is never created again: the provider may have been paid. One that no worker
 * has begun is started once more.
 */
export async function findRun(parts: BackgroundParts, ref: RunRef): Promise<Run | undefined> {
  const run = await parts.runs.find(ref);
  if (!run || !isGone(run, parts.now())) return run;
  const { runs, responses, start } = parts;
  if (run.status === 'done' && (await responses.find(ref.tenant, ref.id))) return run;
  if (run.status !== 'queued') await runs.fail(run, died);
  else if (run.starts >= maxStarts || !start || isLate(run, parts.now())) await failQueued(parts, run);
  // The next request for it starts the worker again.
  else if (await runs.restart(run)) await start(ref).catch(() => {});
  return await runs.find(ref);
}

/** Fails a run that no worker has begun. */
export async function failQueued(parts: BackgroundParts, run: Run, failure = neverBegan): Promise<void> {
  if (await parts.runs.fail(run, failure)) await releaseQueued(parts, run);
}

/** Gives back what was reserved for a run that has ended, and that was queued until then. */
export async function releaseQueued(
  { release }: Pick<BackgroundParts, 'release'>,
  { status, hold }: Pick<Run, 'status' | 'hold'>,
): Promise<void> {
  if (status === 'queued' && hold) await release(hold);
}

/** Whether it has waited so long that it must not begin any more. */
export const isLate = ({ hold }: Run, now: number): boolean =>
  hold !== undefined && now - hold.record.at > maxWaitMs;

/** Of a run that is done, only that its response was not stored. */
function isGone(run: Run, now: number): boolean {
  if (run.status === 'queued') return now - run.aliveAt > lostMs;
  const isAtWork = run.status === 'in_progress' || (run.status === 'done' && !run.final);
  return isAtWork && isSilent(run, now);
}

const isSilent = ({ aliveAt }: Run, now: number): boolean => now - aliveAt > deadMs;

/** Nothing comes any more, or what still came would have been written by now. */
export function hasEnded(run: Run | undefined, now: number): boolean {
  if (!run || run.status === 'failed' || run.status === 'cancelled') return true;
  return run.status === 'done' && isSilent(run, now);
}

/** The response as it is now: stored, or of its run; undefined where it was deleted meanwhile. */
export async function readRun(parts: BackgroundParts, run: Run): Promise<JsonObject | undefined> {
  const isStored = run.status === 'done' && !run.final;
  const found = isStored ? await parts.responses.find(run.tenant, run.id) : undefined;
  return (await found?.readResponse()) ?? (await writeRun(parts, run));
}

/** The response object of a run; undefined where it was deleted meanwhile. */
export async function writeRun({ runs }: BackgroundParts, run: Run): Promise<JsonObject | undefined> {
  if (run.final) return await runs.read(run, run.final);
  const begun = await runs.read(run, run.begun);
  return begun && shown(begun, run);
}

/** A response that is done is in progress until it is stored. */
function shown(begun: JsonObject, { status, failure = '' }: Run): JsonObject {
  if (status === 'failed') return failedObject(begun, failure);
  return { ...begun, status: status === 'done' ? 'in_progress' : status };
}

/** `status`: of the answer that a caller would have got. */
export const failedObject = (begun: JsonObject, message: string, status = 500): JsonObject => ({
  ...begun,
  ...failed({ status, message }),
});
