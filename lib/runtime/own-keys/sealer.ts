/** What seals the credentials of tenants in this installation: the operator's key in KMS where there is one, else its own secret. */
import { lazy } from '../../async/lazy.ts';
import type { Foundation } from '../foundation.ts';
import { deriveKeyOf } from '../stack-secret.ts';
import { createSealer, type Sealer } from './seal.ts';

export function sealerOf({ variables, environment, sendForText, sign, endpointOf }: Foundation): Sealer {
  return createSealer({
    derive: deriveKeyOf(variables),
    kmsKey: environment.PROVIDER_PARAMETERS_KEY,
    kms: lazy(async () => {
      const { createAwsCall } = await import('../../transport/aws/aws-call.ts');
      const service = { service: 'kms', endpoint: endpointOf('kms'), jsonVersion: '1.1' as const };
      return createAwsCall({ sendForText, sign, region: environment.AWS_REGION, ...service });
    }),
  });
}
