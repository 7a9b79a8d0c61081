/** Runs checks: some at a time, each on its own, so that one which fails or is denied does not keep others from being made. */

import type { AwsClients } from '../../infra/aws/clients.ts';
import { textAt } from '../../infra/aws/read-xml.ts';
import { mapConcurrently } from '../../lib/async/map-concurrently.ts';
import {
  type Check,
  type CheckContext,
  type DeployedGateway,
  type Finding,
  failed,
  type Identity,
  type Level,
  ok,
  type StackCheck,
} from './check.ts';
import { accountChecks, stackChecks } from './checks.ts';
import { findingOf } from './errors.ts';
import { stackStatus } from './rows/stack-status.ts';

export interface Result extends Finding {
  readonly check: string;
  readonly title: string;
}

/** AWS throttles those who ask for much at once. */
const atATime = 4;

export interface CheckOptions extends Omit<CheckContext, 'identity'> {
  /** Without it, only the account is checked. */
  readonly gateway: DeployedGateway | undefined;
}

/** Rejects only for a mistake of this program. Without credentials there is one result, which is why. */
export async function runChecks({ gateway, ...options }: CheckOptions): Promise<readonly Result[]> {
  const who = await identify(options.aws);
  const credentials = { check: 'credentials', title: 'Credentials' };
  if ('level' in who) return [{ ...credentials, ...who }];
  const context = { ...options, identity: who };
  const found = ok(`${who.arn} of account ${who.account}, in ${options.aws.region}.`);
  const account = await mapConcurrently(accountChecks, atATime, (check) =>
    attempt(check, () => check.run(context)),
  );
  const stack = gateway
    ? await mapConcurrently(await checksOf(gateway), atATime, (check) =>
        attempt(check, () => check.run({ ...context, gateway })),
      )
    : [];
  return [{ ...credentials, ...found }, ...account.flat(), ...stack.flat()];
}

/** Of a stack that does not exist, there is nothing more to say. */
async function checksOf(gateway: DeployedGateway): Promise<readonly StackCheck[]> {
  const facts = await gateway.facts().catch(() => 'unknown');
  return facts === undefined ? [stackStatus] : stackChecks;
}

async function attempt(check: Check, run: () => Promise<readonly Finding[]>): Promise<readonly Result[]> {
  const findings = await run().catch((error: unknown) => [findingOf(error, check)]);
  return findings.map((finding) => ({ check: check.id, title: check.title, ...finding }));
}

/** It needs no permission. Source: docs.aws.amazon.com STS, API_GetCallerIdentity. */
async function identify(aws: AwsClients): Promise<Identity | Finding> {
  try {
    const answer = await aws.query('sts', 'GetCallerIdentity');
    return { account: textAt(answer, 'Account'), arn: textAt(answer, 'Arn') };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'CredentialsProviderError')
      return { ...findingOf(error, { needs: [] }), level: 'failed' };
    return failed(
      'there are no credentials of AWS.',
      'Sign in (aws sso login), choose a profile with AWS_PROFILE, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  }
}

export const countOf = (results: readonly Result[], level: Level): number =>
  results.filter((result) => result.level === level).length;
