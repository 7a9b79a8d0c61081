/** The errors of a request refused by a limit, and whether a retry helps. They never reveal the use of others. */

import type { Admission, LimitName } from '../core/accounting/limits.ts';
import { GatewayError } from '../core/errors.ts';
import type { MaxUse } from '../core/ports/metering.ts';
import type { Limits } from '../core/tenancy.ts';

/** Whose limits, in the middle of a sentence. */
export const owners = { key: "the API key's", tenant: "the tenant's", user: "the user's" } as const;

type Owner = (typeof owners)[keyof typeof owners];

/** How soon another try may find fewer requests running. */
const shortWaitMs = 1_000;

/** Throws for a request that these limits never allow, even without other use. */
export function checkBounds(owner: Owner, limits: Limits, { fixed, perOutputToken, output }: MaxUse): void {
  const { dailyBudget, weeklyBudget, monthlyBudget, totalBudget, credit } = limits;
  const isPaid = [dailyBudget, weeklyBudget, monthlyBudget, totalBudget, credit].some(
    (limit) => limit !== undefined,
  );
  if (isPaid && (fixed.amount === null || perOutputToken.amount === null)) {
    const message = `A requested model has no known price, so its cost cannot be checked against ${owner} budget. Use another model.`;
    throw new GatewayError('permission_denied', message, { code: 'price_unknown' });
  }
  const tokens = fixed.tokens + output.most * perOutputToken.tokens;
  const { tokensPerMinute = Number.POSITIVE_INFINITY } = limits;
  if (tokens <= tokensPerMinute) return;
  const message = `This request could use ${tokens} tokens, but ${owner} limit is ${tokensPerMinute} tokens per minute. ${hint}`;
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
  if (refusedBy === 'credit' || refusedBy.endsWith('Budget')) {
    return new GatewayError('insufficient_quota', message);
  }
  const endsWithMinute = refusedBy === 'requestsPerMinute' || refusedBy === 'tokensPerMinute';
  return new GatewayError('rate_limited', message, { retryAfterMs: endsWithMinute ? waitMs : shortWaitMs });
}

const hint = 'Shorten it, or lower max_completion_tokens (Responses: max_output_tokens).';

const counted = (count: number | undefined, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

const messages: Readonly<Record<LimitName | 'contention', (owner: Owner, limits: Limits) => string>> = {
  credit: (owner) => `This request could exceed ${owner} remaining credit. ${hint}`,
  totalBudget: (owner) => `This request could exceed ${owner} remaining budget. ${hint}`,
  monthlyBudget: (owner) => `This request could exceed ${owner} remaining monthly budget. ${hint}`,
  weeklyBudget: (owner) => `This request could exceed ${owner} remaining weekly budget. ${hint}`,
  dailyBudget: (owner) => `This request could exceed ${owner} remaining daily budget. ${hint}`,
  requestsPerMinute: (owner, limits) =>
    `Rate limit reached: ${owner} limit is ${counted(limits.requestsPerMinute, 'request')} per minute. Try again later.`,
  tokensPerMinute: (owner, limits) =>
    `Rate limit reached: ${owner} limit is ${counted(limits.tokensPerMinute, 'token')} per minute, and this request could exceed it. Try again later. ${hint}`,
  concurrentRequests: (owner, limits) =>
    `Rate limit reached: ${owner} limit is ${counted(limits.concurrentRequests, 'concurrent request')}. Try again when one has finished.`,
  contention: (owner) =>
    `Rate limit reached: too many simultaneous requests for ${owner} limits. Try again in a second.`,
};
