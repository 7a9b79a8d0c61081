/** The refusals of a request by a limit: what the caller is told, and whether waiting helps. Never what others use. */

import type { Admission, LimitName } from '../core/accounting/limits.ts';
import { GatewayError } from '../core/errors.ts';
import type { MaxUse } from '../core/ports.ts';
import type { Limits } from '../core/tenancy.ts';

/** Whose limits, in the middle of a sentence. */
export const owners = { key: "the API key's", tenant: "the tenant's" } as const;

type Owner = (typeof owners)[keyof typeof owners];

/** How soon another try may find fewer requests running. */
const shortWaitMs = 1_000;

/** Throws for a request that these limits can never let in, whatever else is used. */
export function checkBounds(owner: Owner, limits: Limits, { inputTokens, outputTokens, cost }: MaxUse): void {
  const isPaid = limits.monthlyBudget !== undefined || limits.credit !== undefined;
  if (isPaid && cost === null) {
    const message = `The price of a model that was asked for is not known, so it cannot be used against ${owner} budget.`;
    throw new GatewayError('permission_denied', message, { code: 'price_unknown' });
  }
  const tokens = inputTokens + outputTokens;
  const { tokensPerMinute = Number.POSITIVE_INFINITY } = limits;
  if (tokens <= tokensPerMinute) return;
  const message = `This request may come to ${tokens} tokens, and ${owner} limit is ${tokensPerMinute} tokens per minute: it would never be let in. Send less, or set a lower limit of output tokens.`;
  throw new GatewayError('invalid_request', message, { code: 'tokens_per_minute_exceeded' });
}

export interface Refused {
  readonly refusedBy: NonNullable<Admission['refusedBy']>;
  readonly owner: Owner;
  readonly limits: Limits;
  /** Until the minute ends. */
  readonly waitMs: number;
}

export function refusalOf({ refusedBy, owner, limits, waitMs }: Refused): GatewayError {
  const message = messages[refusedBy](owner, limits);
  if (refusedBy === 'monthlyBudget' || refusedBy === 'credit') {
    return new GatewayError('insufficient_quota', message);
  }
  const endsWithMinute = refusedBy === 'requestsPerMinute' || refusedBy === 'tokensPerMinute';
  return new GatewayError('rate_limited', message, { retryAfterMs: endsWithMinute ? waitMs : shortWaitMs });
}

const hint = 'A lower limit of output tokens makes it less.';

const messages: Readonly<Record<LimitName | 'contention', (owner: Owner, limits: Limits) => string>> = {
  credit: (owner) => `The most that this request may cost is more than is left of ${owner} credit. ${hint}`,
  monthlyBudget: (owner) =>
    `The most that this request may cost is more than is left of ${owner} budget for this month. ${hint}`,
  requestsPerMinute: (owner, limits) =>
    `Rate limit reached: ${owner} limit is ${limits.requestsPerMinute} requests per minute.`,
  tokensPerMinute: (owner, limits) =>
    `Rate limit reached: ${owner} limit is ${limits.tokensPerMinute} tokens per minute, and this request may come to more than is left of it. ${hint}`,
  concurrentRequests: (owner, limits) =>
    `Rate limit reached: ${owner} limit is ${limits.concurrentRequests} requests at a time.`,
  contention: (owner) => `Rate limit reached: too many requests met ${owner} limits at the same moment.`,
};
