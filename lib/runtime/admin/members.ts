/** The members of a user pool. */
import type { FindEndpoint, Sign } from '../../core/ports/aws.ts';
import type { SendForText } from '../../core/ports/http.ts';
import type { Members } from '../../core/ports/members.ts';
import { createCognitoMembers } from '../../stores/members/cognito-members.ts';
import { createAwsCall } from '../../transport/aws/aws-call.ts';
import type { Foundation } from '../foundation.ts';

interface AwsParts {
  readonly endpointOf: FindEndpoint;
  readonly sendForText: SendForText;
  readonly sign: Sign;
}

/** An invitation waits until the mail is on its way, which takes longer than other calls of AWS. */
const userPoolTimeouts = { connectMs: 1_000, firstByteMs: 10_000, idleMs: 5_000 };

/** `userPoolId` begins with the region of the pool; source: API reference of cognito-idp, UserPoolId. */
export function createMembers(userPoolId: string, { endpointOf, sendForText, sign }: AwsParts): Members {
  const [region = ''] = userPoolId.split('_');
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

/** Undefined if the environment names no pool. */
export function membersIn({ environment, ...parts }: Foundation): Members | undefined {
  const { GATEWAY_ADMIN_USER_POOL: userPoolId } = environment;
  return userPoolId === undefined ? undefined : createMembers(userPoolId, parts);
}
