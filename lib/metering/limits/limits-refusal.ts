/** The errors of a request refused by a limit: whose limit, when it starts again, and what to lower. They never reveal the use of others. */

import type { Admission, LimitScope, LimitUsage } from '../../core/accounting/limits.ts';
import { periodEnds } from '../../core/accounting/periods.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { sessionUnseen } from '../../core/errors/session-unseen.ts';
import type { MaxUse } from '../../core/ports/metering.ts';
import type { Limits } from '../../core/tenancy.ts';
import { minTokensOf, outOfBounds } from './limited.ts';

/** Whose limits, in the middle of a sentence. */
const owners = { key: "the API key's", tenant: "the tenant's", user: "the user's" } as const;

/** How soon another try may find fewer requests running, or less held for them. */
const shortWaitMs = 1_000;
const heldWaitMs = 3_000;

/** A scope whose limits apply. */
interface Owned {
  readonly kind: LimitScope['kind'];
  readonly limits: Limits;
}

/** Throws for a request that these limits never allow, even without other use. */
export function checkBounds({ kind, limits }: Owned, use: MaxUse): void {
  switch (outOfBounds(limits, use)) {
    case 'unseen':
      throw sessionUnseen('its use cannot be counted', `${owners[kind]} budget, credit or limit of tokens`);
    case 'unpriced': {
      const message = `A requested model has no known price, so its cost cannot be checked against ${owners[kind]} budget. Use another model.`;
      throw new GatewayError('permission_denied', message, { code: 'price_unknown' });
    }
    case 'tokens': {
      const message = `This request could use ${minTokensOf(use)} tokens, but ${owners[kind]} limit is ${limits.tokensPerMinute} tokens per minute. ${hint(use.output)}`;
      throw new GatewayError('invalid_request', message, { code: 'tokens_per_minute_exceeded' });
    }
  }
}

interface Refused extends Owned, Pick<Admission, 'isHeld'> {
  readonly refusedBy: NonNullable<Admission['refusedBy']>;
  readonly usage: LimitUsage;
  readonly output: MaxUse['output'];
  /** The time in milliseconds. */
  readonly now: number;
}

export function refusalOf({ kind, limits, refusedBy, isHeld, usage, output, now }: Refused): GatewayError {
  const owner = owners[kind];
  switch (refusedBy) {
    case 'requestsPerMinute':
    case 'tokensPerMinute':
      return new GatewayError('rate_limited', rateMessage(refusedBy, owner, limits, output), {
        retryAfterMs: usage.minuteEnds - now,
      });
    case 'concurrentRequests': {
      const limit = counted(limits.concurrentRequests, 'concurrent request');
      const message = `Rate limit reached: ${owner} limit is ${limit}. Try again when one has finished.`;
      return new GatewayError('rate_limited', message, { retryAfterMs: shortWaitMs });
    }
    case 'contention': {
      const message = `Rate limit reached: too many simultaneous requests for ${owner} limits. Try again in a second.`;
      return new GatewayError('rate_limited', message, { retryAfterMs: shortWaitMs });
    }
    default:
      return amountRefusal(refusedBy, { owner, isHeld: isHeld === true, output, now });
  }
}

type AmountLimit = Exclude<
  Refused['refusedBy'],
  'requestsPerMinute' | 'tokensPerMinute' | 'concurrentRequests' | 'contention'
>;

const nouns: Readonly<Record<AmountLimit, string>> = {
  credit: 'credit',
  totalBudget: 'total budget',
  monthlyBudget: 'monthly budget',
  weeklyBudget: 'weekly budget',
  dailyBudget: 'daily budget',
};

function amountRefusal(
  limit: AmountLimit,
  {
    owner,
    isHeld,
    output,
    now,
  }: {
    readonly owner: string;
    readonly isHeld: boolean;
    readonly output: MaxUse['output'];
    readonly now: number;
  },
): GatewayError {
  const rest = `${owner} remaining ${nouns[limit]}`;
  if (isHeld) {
    const message = `Running requests hold ${rest}, and this request could exceed what is left. Try again when they have finished. ${hint(output)}`;
    return new GatewayError('rate_limited', message, { retryAfterMs: heldWaitMs });
  }
  const resetsAt = periodEnds(limit, now);
  if (resetsAt === undefined) {
    return new GatewayError('insufficient_quota', `This request could exceed ${rest}. ${hint(output)}`);
  }
  const reset = new Date(resetsAt).toISOString().replace('.000Z', 'Z');
  const message = `This request could exceed ${rest}, which starts again at ${reset}. ${hint(output)}`;
  return new GatewayError('budget_used_up', message, { resetsAt, retryAfterMs: resetsAt - now });
}

/** As little output as every provider accepts. */
const fewTokens = 16;

/** What a caller can do beside waiting. An output limit was lowered already as far as it is of use. */
const hint = ({ min }: MaxUse['output']): string =>
  min > fewTokens
    ? 'Shorten it, or lower max_completion_tokens (Responses: max_output_tokens), in Messages max_tokens.'
    : 'Shorten it, or ask the operator for more.';

const counted = (count: number | undefined, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

function rateMessage(
  limit: 'requestsPerMinute' | 'tokensPerMinute',
  owner: string,
  limits: Limits,
  output: MaxUse['output'],
): string {
  const reached = `Rate limit reached: ${owner} limit is`;
  return limit === 'requestsPerMinute'
    ? `${reached} ${counted(limits.requestsPerMinute, 'request')} per minute. Try again later.`
    : `${reached} ${counted(limits.tokensPerMinute, 'token')} per minute, and this request could exceed it. Try again later. ${hint(output)}`;
}
