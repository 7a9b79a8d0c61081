/** A local gateway that changes its members in the fake user pool, by calls that it signs. */
import { afterAll } from 'vitest';
import { type FakeAws, operator, startFakeAws } from '../aws/fake-aws.ts';
import { lazily } from '../use.ts';
import { cognitoIdp } from './idp.ts';
import { type SignInGateway, useSignInGateway } from './sign-in.ts';

export function useMembersGateway(): { readonly both: () => SignInGateway; readonly aws: FakeAws } {
  let aws: FakeAws | undefined;
  afterAll(() => aws?.close());
  const both = useSignInGateway(async ({ pool }) => {
    aws = await startFakeAws({ services: [cognitoIdp(pool)] });
    return {
      GATEWAY_ADMIN_USER_POOL: pool.id,
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: aws.url,
      AWS_ACCESS_KEY_ID: operator.accessKeyId,
      AWS_SECRET_ACCESS_KEY: operator.secretAccessKey,
    };
  });
  return { both, aws: lazily(() => aws as FakeAws) };
}
