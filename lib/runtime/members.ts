/** The members of the user pool that the environment names. */
import type { Members } from '../core/ports/members.ts';
import { createCognitoMembers } from '../stores/members/cognito-members.ts';
import { createAwsCall } from '../transport/aws-call.ts';
import type { Foundation } from './foundation.ts';

/** An invitation waits until the mail is on its way, which takes longer than other calls of AWS. */
export const userPoolTimeouts = { connectMs: 1_000, firstByteMs: 10_000, idleMs: 5_000 };

/** Undefined without a pool. */
export function createMembers({
  environment,
  endpointOf,
  sendForText,
  sign,
}: Pick<Foundation, 'environment' | 'endpointOf' | 'sendForText' | 'sign'>): Members | undefined {
  const { GATEWAY_ADMIN_USER_POOL: userPoolId } = environment;
  if (userPoolId === undefined) return undefined;
  // The id begins with the region of the pool; source: API reference of cognito-idp, UserPoolId.
  const region = userPoolId.split('_')[0] ?? environment.AWS_REGION;
  const call = createAwsCall({
    sendForText,
    sign,
    service: 'cognito-idp',
    region,
    endpoint: endpointOf('cognito-idp', region),
    jsonVersion: '1.1',
    timeouts: userPoolTimeouts,
  });
  return createCognitoMembers({ call, userPoolId });
}
