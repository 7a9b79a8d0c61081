/** The answers that are kept for requests with a key of their own, of which there are few: loaded with the first. */
import { lazy } from '../async/lazy.ts';
import type { ClaimAnswer } from '../core/ports/kept-answers.ts';
import type { Foundation } from './foundation.ts';

export function claimAnswerOf({ table, now }: Pick<Foundation, 'table' | 'now'>): ClaimAnswer {
  const claimAnswer = lazy(async () => {
    const { createClaimAnswer } = await import('../stores/kept-answers.ts');
    return createClaimAnswer({ ...table('state'), now });
  });
  return async (...claiming) => (await claimAnswer())(...claiming);
}
