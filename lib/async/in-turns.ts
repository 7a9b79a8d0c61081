/** Long work in turns: whatever else the process does goes on between them, and the work ends with its request. */
import { setImmediate } from 'node:timers/promises';

const longestTurnMs = 10;

/** The result of the work, which yields where it may pause. Rejects with the reason of the signal. */
export async function inTurns<Result>(work: Generator<void, Result>, signal: AbortSignal): Promise<Result> {
  let begun = performance.now();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (performance.now() - begun < longestTurnMs) continue;
    await setImmediate();
    signal.throwIfAborted();
    begun = performance.now();
  }
}
