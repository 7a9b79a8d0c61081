/** Long work in turns: whatever else the process does goes on between them, and the work ends with its request. */
import { setImmediate } from 'node:timers/promises';
import { monotonicMs } from './monotonic-ms.ts';

const longestTurnMs = 10;

/** The result of the work, which yields where it may pause. Rejects with the reason of the signal. */
export async function inTurns<Result>(work: Generator<void, Result>, signal: AbortSignal): Promise<Result> {
  let begun = monotonicMs();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (monotonicMs() - begun < longestTurnMs) continue;
    await setImmediate();
    signal.throwIfAborted();
    begun = monotonicMs();
  }
}
