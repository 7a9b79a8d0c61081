/** The open record of a request: what is known when a provider is about to be called. */
import type { FinishedRequest, LedgerRecord } from '../core/accounting/ledger.ts';
import type { Pricing } from '../core/accounting/pricing.ts';
import { inputOnly } from '../core/generation/usage.ts';
import { billOf } from './bill.ts';

/** The last attempt has the estimated use of its input, so that it stays counted if the process ends. */
export function openRecordOf(request: FinishedRequest, pricing?: Pricing): LedgerRecord {
  const last = request.attempts.length - 1;
  const attempts = request.attempts.map((attempt, index) =>
    index < last ? attempt : { ...attempt, usage: inputOnly(attempt.inputTokens), estimated: true as const },
  );
  return billOf({ ...request, attempts }, pricing);
}
