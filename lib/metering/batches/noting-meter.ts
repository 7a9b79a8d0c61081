/** The meter of a line of a batch that is only prepared, to be sent in a job: it writes nothing, and notes what the job needs. */
import { type FinishedRequest, sumOfAmounts } from '../../core/accounting/ledger.ts';
import type { MaxUse, OpenMeter } from '../../core/ports/metering.ts';
import { limitedOf } from '../limits/limited.ts';
import { checkBounds } from '../limits/limits-refusal.ts';
import { paidLimitsOf } from './paid-limits.ts';

interface NotingMeter {
  readonly openMeter: OpenMeter;
  /** Undefined while nothing was asked for. */
  maxUse(): MaxUse | undefined;
  /** The output tokens that the line may use; undefined where its caller has no budget: then it is not bounded. */
  granted(): number | undefined;
  /** The request as it is about to be sent, with its target. */
  request(): FinishedRequest | undefined;
}

/** Its `admit` rejects with GatewayError for a line that the budgets of its caller never allow. */
export function createNotingMeter(): NotingMeter {
  let most: MaxUse | undefined;
  let granted: number | undefined;
  let request: FinishedRequest | undefined;
  return {
    openMeter: (key, _requestId, user) => ({
      check: async () => {},
      async admit(maxUse) {
        most = withEarlier(maxUse(), most);
        const limited = paidLimitsOf(limitedOf(key, user));
        for (const { scope, limits } of limited) checkBounds({ kind: scope.kind, limits }, most);
        granted = limited.length > 0 ? grantOf(most) : undefined;
        return granted;
      },
      headers: () => ({}),
      begin(begun) {
        request ??= begun;
      },
      handOver: async () => undefined,
      finish: async () => {},
    }),
    maxUse: () => most,
    granted: () => granted,
    request: () => request,
  };
}

/** What was asked for before is of detectors, which are paid for beside the request. */
const withEarlier = (use: MaxUse, earlier: MaxUse | undefined): MaxUse =>
  earlier === undefined
    ? use
    : { ...use, fixed: { ...use.fixed, amount: sumOfAmounts([earlier.fixed.amount, use.fixed.amount]) } };

/** What the caller asked for; without that, what the model usually writes. */
const grantOf = ({ output: { max, expected = max } }: MaxUse): number => Math.min(max, expected);

/**
 * The most that a line may use: tokens, and what they are charged in nano-dollars, null if that is not known. `granted`: as its meter has
 * noted it; absent: all that was asked for.
 */
export function lineAmounts(
  { fixed, perOutputToken, output }: MaxUse,
  granted = output.max,
): { readonly tokens: number; readonly amount: number | null } {
  const tokens = Math.ceil(fixed.tokens + perOutputToken.tokens * granted);
  if (fixed.amount === null || perOutputToken.amount === null) return { tokens, amount: null };
  const amount = Math.ceil(fixed.amount + perOutputToken.amount * granted);
  return { tokens, amount: Number.isSafeInteger(amount) ? amount : null };
}
