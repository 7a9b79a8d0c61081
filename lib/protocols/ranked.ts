/** One document of a rerank answer. */
import { GatewayError } from '../core/errors/errors.ts';
import type { Ranked } from '../core/generation/rerank.ts';

/** Throws GatewayError `upstream_invalid_answer` where one of them is missing: a score is never made up. */
export function rankedOf(index: unknown, score: unknown): Ranked {
  const isWhole = Number.isSafeInteger(index) && typeof score === 'number' && Number.isFinite(score);
  if (isWhole) return { index: Number(index), score };
  throw new GatewayError('upstream_invalid_answer', 'The provider returned a document without a score.');
}
