/**
 * Counts tokens of Claude where others serve it. Which betas such a deployment takes is found out with messages (`claude-elsewhere.ts`);
 * a count is asked without any, and without the fields that are refused then: it is higher without their edits, never lower.
 */
import type { TokenCounter } from '../../core/generation/original/protocol.ts';
import { withoutFieldsOf } from './claude-beta-fields.ts';

export const countingWithoutBetas = (counter: TokenCounter): TokenCounter => ({
  ...counter,
  takesBetas: false,
  body: (request, upstreamId) => counter.body(withoutFieldsOf(request, []).body, upstreamId),
});
