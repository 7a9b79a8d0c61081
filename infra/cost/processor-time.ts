/** The processor time that a request takes, where it is not an environment of its own that is paid. */
import type { Traffic } from './traffic.ts';

export interface ProcessorTime {
  /** Microseconds of a request with one body. */
  readonly request: number;
  /** Microseconds of each chunk of a stream. */
  readonly chunk: number;
}

/**
 * Measured with 16 callers: `test/bench/RESULTS.md`, 2026-11-22, "body, openai" (800) and "paced stream, openai" (6,276 for 50 chunks,
 * less the 800). That is without TLS to the provider, and on another processor; one of Graviton is taken to be as fast.
 */
export const measuredTime: ProcessorTime = { request: 800, chunk: 110 };

/** Of one request. */
export const processorSeconds = ({ chunks }: Traffic, { request, chunk }: ProcessorTime): number =>
  (request + chunks * chunk) / 1_000_000;
