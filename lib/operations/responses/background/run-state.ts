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

/** How many workers of a run may be lost before it fails. What ends one may end the next. */
const maxLosses = 2;

const died = "The gateway's process ended while it created this response.";
export const neverBegan = 'The gateway did not begin to create this response.';

/**
 * Finds a run. One whose worker is gone has failed, and is never created again: the provider may have been paid. Where the provider goes
 * on by itself, another worker reads on. One that no worker has begun is started once more.
 */
export async function findRun(parts: BackgroundParts, ref: RunRef): Promise<Run | undefined> {
  const run = await parts.runs.find(ref);
  if (!run || !isGone(run, parts.now())) return run;
  const { runs, responses, start } = parts;
  if (run.status === 'done' && (await responses.find(ref.tenant, ref.id))) return run;
  // The next request for it starts the worker again.
  if (start && mayStart(run, parts.now())) {
    const isMine = run.status === 'queued' ? await runs.restart(run) : await runs.requeue(run);
    if (isMine) await start(ref).catch(() => {});
  } else if (isUnbegun(run)) await failQueued(parts, run);
  else if (await runs.fail(run, died)) await releaseRun(parts, run);
  return await runs.find(ref);
}

/** Fails a run that no worker has begun. */
export async function failQueued(parts: BackgroundParts, run: Run, failure = neverBegan): Promise<void> {
  if (await parts.runs.fail(run, failure)) await releaseRun(parts, run);
}

/**
 * Of a run that has ended while no worker had it: gives back what was reserved for it if it never began, and ends what a provider goes on
 * with.
 */
export async function releaseRun(
  { release, start, now }: Pick<BackgroundParts, 'release' | 'start' | 'now'>,
  run: Run,
): Promise<void> {
  const { tenant, id, status, aliveAt, hold, upstream: left } = run;
  if (isUnbegun(run) && hold) await release(hold);
  // A worker finds with its next sign that its run has ended.
  const hasWorker = status === 'in_progress' && now() - aliveAt < 2 * signMs;
  if (left && !hasWorker) await start?.({ tenant, id, left }).catch(() => {});
}

/** Whether no provider has been asked. */
const isUnbegun = ({ status, upstream }: Pick<Run, 'status' | 'upstream'>): boolean =>
  status === 'queued' && !upstream;

/** Whether it has waited so long that it must not begin any more. */
export const isLate = ({ hold, upstream }: Run, now: number): boolean =>
  hold !== undefined && !upstream && now - hold.record.at > maxWaitMs;

function mayStart(run: Run, now: number): boolean {
  const { status, starts, upstream, losses } = run;
  if (status === 'queued') return starts < maxStarts && !isLate(run, now);
  return status === 'in_progress' && upstream !== undefined && losses < maxLosses;
}

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

/** A response that is done is in progress until it is stored, and one that waits for its next worker is. */
function shown(begun: JsonObject, { status, upstream, failure = '' }: Run): JsonObject {
  if (status === 'failed') return failedObject(begun, failure);
  const isBetweenWorkers = status === 'queued' && upstream !== undefined;
  return { ...begun, status: status === 'done' || isBetweenWorkers ? 'in_progress' : status };
}

/** `status`: of the answer that a caller would have got. */
export const failedObject = (begun: JsonObject, message: string, status = 500): JsonObject => ({
  ...begun,
  ...failed({ status, message }),
});
