/**
 * The events of a background response: those that its log has, and what comes while it is created. The log is read item by item, so
 * that any number of readers can follow, and each gets the bytes that the first one got.
 */
import { setTimeout as sleep } from 'node:timers/promises';
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

/** The pauses between two looks into the log: the shortest, how each grows, and the longest. In milliseconds. */
const pauses = { first: 250, factor: 1.5, max: 1_000 };

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
  for await (const text of blocksOf(parts, run, signal)) {
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
  for (let pauseMs = pauses.first; !signal.aborted; pauseMs = grown(pauseMs)) {
    const run = await findRun(parts, ref);
    if (run?.status !== 'queued' && run?.status !== 'in_progress') {
      const response = run && (await readRun(parts, run));
      // A response that is done is stored in a moment.
      if (response?.status !== 'in_progress') return response;
    }
    await pause(pauseMs, signal);
  }
  return undefined;
}

const grown = (pauseMs: number): number => Math.min(pauses.max, pauseMs * pauses.factor);

/** Ends early where the reader leaves. */
const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
};

/** Every block of the log, until the run has ended without a further one. */
async function* blocksOf(parts: BackgroundParts, run: Run, signal: AbortSignal): AsyncGenerator<string> {
  const { runs, now } = parts;
  let next = 0;
  let pauseMs = pauses.first;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isOver = false;
  while (!signal.aborted) {
    const block = await runs.follow(run, next);
    if (block) {
      yield block.text;
      next = block.next;
      pauseMs = pauses.first;
    } else if (isOver) return;
    else if (now() - lookedAt < stateMs) {
      await pause(pauseMs, signal);
      pauseMs = grown(pauseMs);
    } else {
      lookedAt = now();
      // What the worker wrote before the run ended is read before the end.
      isOver = hasEnded(await findRun(parts, run), now());
    }
  }
}
