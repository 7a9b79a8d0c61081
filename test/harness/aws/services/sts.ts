/** Who signs. It needs no permission. Source: docs.aws.amazon.com STS, API_GetCallerIdentity. */
import type { FakeService } from '../service.ts';

export const sts = (): FakeService => ({
  name: 'sts',
  protocol: 'query',
  namespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
  needs: () => [],
  actions: {
    GetCallerIdentity: (_input, { principal, account }) => ({
      Arn: principal.arn,
      UserId: `AIDA${principal.accessKeyId}`,
      Account: account,
    }),
  },
});
