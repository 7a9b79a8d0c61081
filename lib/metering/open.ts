/** The open record of a request: what is known when a provider is about to be called. */
import type { FinishedRequest, LedgerRecord } from '../core/accounting/ledger.ts';
import type { Pricing } from '../core/accounting/pricing.ts';
import type { Usage } from '../core/generation/usage.ts';
import { billOf } from './bill.ts';

/**
 * The last attempt has the estimated use of its prompt, so that it stays counted if the process ends. Without an estimate its cost
 * is unknown.
 */
export function openRecordOf(request: FinishedRequest, pricing?: Pricing): LedgerRecord {
  const last = request.attempts.length - 1;
  const attempts = request.attempts.map((attempt, index) => {
    const { promptTokens, usage } = attempt;
    if (index < last || usage || promptTokens === undefined) return attempt;
    return { ...attempt, usage: promptOf(promptTokens), estimated: true as const };
  });
  return billOf({ ...request, attempts }, pricing);
}

const promptOf = (promptTokens: number): Usage => ({
  promptTokens,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
});
