/** The processor time that a request takes, where it is not an environment of its own that is paid. */
import type { Traffic } from './traffic.ts';

export interface ProcessorTime {
  /** Microseconds of a request with one body. */
  readonly request: number;
  /** Microseconds of each chunk of a stream. */
  readonly chunk: number;
}

/**
 * Measured with 16 callers: `test/bench/RESULTS.md`, 2026-11-22, "body, openai" (559) and "paced stream, openai" (4,740 for 50
 * chunks, all of it counted for the chunks: a little more than they take). That is without TLS to the provider, and on another
 * processor; one of Graviton is taken to be as fast.
 */
export const measuredTime: ProcessorTime = { request: 559, chunk: 95 };

/** Of one request. */
export const processorSeconds = ({ chunks }: Traffic, { request, chunk }: ProcessorTime): number =>
  (request + chunks * chunk) / 1_000_000;
