/**
 * How many requests Lambda serves at a time in the account and region, against the planned traffic. Sources: docs.aws.amazon.com Lambda,
 * gettingstarted-limits (a new account has less than 1,000), API_GetAccountSettings; Service Quotas, L-B99A9384.
 */
import { type AccountCheck, type CheckContext, type Finding, failed, ok, warning } from '../check.ts';
import { isDenied } from '../errors.ts';

const quotaCode = 'L-B99A9384';

/** Of an account that is not new. */
const defaultLimit = 1_000;

/** From here on, more than planned traffic is throttled soon. */
const fullShare = 0.8;

interface Limits {
  readonly all: number;
  /** What functions without reserved concurrency share. */
  readonly shared: number;
}

export const concurrency: AccountCheck = {
  id: 'lambda-concurrency',
  title: 'Lambda concurrency',
  of: 'account',
  about: 'The account can serve the planned number of requests at a time. A new account can serve few.',
  needs: ['lambda:GetAccountSettings', 'servicequotas:GetServiceQuota'],
  async run(context) {
    const { all, shared } = await limitsOf(context);
    return [context.planned ? compare(shared, context.planned) : describe(all, shared)];
  },
};

const request = (needed: number) =>
  `Request at least ${needed} in Service Quotas (Lambda, "Concurrent executions", ${quotaCode}), or deploy with compute=web or compute=fargate.`;

function compare(shared: number, { rps, seconds }: NonNullable<CheckContext['planned']>): Finding {
  const needed = Math.ceil(rps * seconds);
  const text = `the planned traffic needs ${needed} at a time, and ${shared} are possible`;
  if (needed > shared)
    return failed(`${text}: the rest is throttled.`, request(Math.ceil(needed / fullShare)));
  if (needed > shared * fullShare)
    return warning(`${text}: there is little left for peaks.`, request(Math.ceil(needed / fullShare)));
  return ok(`${text}.`);
}

function describe(all: number, shared: number): Finding {
  const text = `${shared} requests at a time, of ${all} in the account and region`;
  if (all >= defaultLimit) return ok(`${text}.`);
  return warning(
    `${text}. New accounts begin with so few; each answer that is being streamed takes one.`,
    `${request(defaultLimit)} With --planned-rps and --planned-seconds this check compares it with your traffic.`,
  );
}

/** Lambda's own answer; a caller who may not ask for it may be allowed to see the quota. */
async function limitsOf({ aws }: CheckContext): Promise<Limits> {
  try {
    const { AccountLimit } = await aws.get('lambda', '/2016-08-19/account-settings');
    const limit = AccountLimit as { ConcurrentExecutions: number; UnreservedConcurrentExecutions: number };
    return { all: limit.ConcurrentExecutions, shared: limit.UnreservedConcurrentExecutions };
  } catch (error) {
    if (!isDenied(error)) throw error;
    const input = { ServiceCode: 'lambda', QuotaCode: quotaCode };
    const { Quota } = await aws
      .json('servicequotas')('ServiceQuotasV20190624.GetServiceQuota', input)
      .catch(() => Promise.reject(error));
    const { Value } = Quota as { readonly Value: number };
    return { all: Value, shared: Value };
  }
}
