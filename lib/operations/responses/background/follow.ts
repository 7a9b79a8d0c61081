/**
 * The events of a background response: those that its log has, and what comes while it is created. The log is read item by item, so
 * that any number of readers can follow, and each gets the bytes that the first one got.
 */
import { followBlocks, growingPause } from '../../../async/follow-blocks.ts';
import type { Run, RunRef } from '../../../core/background.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import { showResponse } from '../stored/stored-format.ts';
import { eventsOf, isEnd, type NumberedEvent, numbered, queuedEvents } from './event-text.ts';
import { type BackgroundParts, findRun, hasEnded, readRun } from './run-state.ts';

interface FollowOptions {
  /** The number of the last event that the reader has; absent: none. */
  readonly after?: number | undefined;
  /** Aborted when the reader has left, or its time is over: then the stream ends, and can be resumed. */
  readonly signal: AbortSignal;
}

/** How often the state of the run is read. */
const stateMs = 3_000;

/** Ends where the run has ended, or is deleted. Never rejects because the reader has left. */
export async function* followRun(
  parts: BackgroundParts,
  run: Run,
  { after = -1, signal }: FollowOptions,
): AsyncGenerator<readonly NumberedEvent[]> {
  let last = -1;
  const fresh = (events: readonly NumberedEvent[]) => {
    last = events.at(-1)?.sequence ?? last;
    return events.filter(({ sequence }) => sequence > after);
  };
  const begun = await parts.runs.read(run, run.begun);
  if (!begun) return;
  yield fresh(queuedEvents(begun));
  for await (const { text } of blocksOf(parts, run, signal)) {
    const events = eventsOf(text);
    yield fresh(events);
    if (events.some(isEnd)) return;
  }
  if (signal.aborted) return;
  // The log of a worker that is gone has no end.
  const ended = await findRun(parts, run);
  const final = ended && ended.status !== 'cancelled' ? await readRun(parts, ended) : undefined;
  if (final) yield fresh([numbered(`response.${final.status}`, last + 1, showResponse(final))]);
}

/** Resolves with a response that goes on no longer; undefined where it was deleted, or the reader has left before. */
export async function waitForResponse(
  parts: BackgroundParts,
  ref: RunRef,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const pausing = growingPause(signal);
  while (!signal.aborted) {
    const run = await findRun(parts, ref);
    if (run?.status !== 'queued' && run?.status !== 'in_progress') {
      const response = run && (await readRun(parts, run));
      // A response that is done is stored in a moment.
      if (response?.status !== 'in_progress') return response;
    }
    await pausing();
  }
  return undefined;
}

/** Every block of the log, until the run has ended without a further one. */
function blocksOf(parts: BackgroundParts, run: Run, signal: AbortSignal) {
  const { runs, now } = parts;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return followBlocks({
    signal,
    read: (n) => runs.follow(run, n),
    async isOver() {
      if (now() - lookedAt < stateMs) return false;
      lookedAt = now();
      return hasEnded(await findRun(parts, run), now());
    },
  });
}
