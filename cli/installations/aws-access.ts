/** An account of AWS in one region, as AWS's own tools find both: for commands that need no installation, and those of a stack. */

import type { AwsAccess } from '../../infra/aws/clients.ts';
import { createEndpoints } from '../../lib/transport/aws/aws-endpoints.ts';
import { createSigner } from '../../lib/transport/aws/sign-action.ts';
import { createHttpClient } from '../../lib/transport/http-client/http-client.ts';
import { UsageError } from '../command.ts';

const missingRegion =
  'Missing region: give --region <name>, set AWS_REGION, or choose a profile that has a region with AWS_PROFILE.';

/** `given`: the region; default: that of the environment or the profile. Rejects with UsageError if there is none. */
export async function openAws(given: string | undefined, variables: NodeJS.ProcessEnv): Promise<AwsAccess> {
  const region = given || variables.AWS_REGION || variables.AWS_DEFAULT_REGION || (await regionOfProfile());
  // Loaded only here: the libraries are large, and a local gateway does not need them.
  const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers');
  const credentials = fromNodeProviderChain();
  const { sendForText, close } = createHttpClient();
  return {
    region,
    sendForText,
    sign: createSigner(async () => {
      const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
      return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
    }),
    endpointOf: createEndpoints(region, variables),
    close,
  };
}

/** Of a file of configuration, with keys or with a single sign-on. */
async function regionOfProfile(): Promise<string> {
  const { CloudFormationClient } = await import('@aws-sdk/client-cloudformation');
  return await new CloudFormationClient({}).config.region().catch(() => {
    throw new UsageError(missingRegion);
  });
}
