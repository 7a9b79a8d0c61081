/** The same random answers in every run, unless `FUZZ_SEED` is set; a failure prints the seed and the path to it. */
import type { Parameters } from 'fast-check';

export function bounded<T>(runs: number, milliseconds: number): Parameters<T> {
  return {
    seed: Number(process.env.FUZZ_SEED ?? 20_260_101),
    numRuns: runs,
    interruptAfterTimeLimit: milliseconds,
    markInterruptAsFailure: false,
  };
}
