/** The open record of a request: what is known when a provider is about to be called. */
import { longestRequestMs } from '../../core/accounting/interrupted.ts';
import type { FinishedAttempt, FinishedRequest, LedgerRecord } from '../../core/accounting/ledger.ts';
import type { Pricing } from '../../core/accounting/pricing.ts';
import { inputOnly } from '../../core/generation/usage.ts';
import { billOf } from '../cost/bill.ts';
import { unseenOutput } from '../cost/unseen-output.ts';

/**
 * The last attempt has the use that it gets if the process ends. How long it ran by then is not known: so its output is what the
 * longest request may have, and at most what is reserved for it.
 */
export function openRecordOf(request: FinishedRequest, pricing?: Pricing): LedgerRecord {
  const last = request.attempts.length - 1;
  const attempts = request.attempts.map((attempt, index) => (index < last ? attempt : running(attempt)));
  return billOf({ ...request, attempts }, pricing);
}

function running(attempt: FinishedAttempt): FinishedAttempt {
  const { inputTokens, output } = attempt;
  if (!output) return { ...attempt, uncounted: 1 };
  const completionTokens = unseenOutput(output.reserved, longestRequestMs);
  return {
    ...attempt,
    usage: { ...inputOnly(inputTokens), completionTokens },
    estimated: true,
    isFloor: true,
  };
}
