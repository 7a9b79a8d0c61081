/** A gateway in AWS. Table names come from the outputs of its stack, credentials from the AWS default chain. */
import type { Sign } from '../../../lib/core/ports/aws.ts';
import type { TableName } from '../../../lib/core/tables.ts';
import { createAwsCall } from '../../../lib/transport/aws-call.ts';
import { createEndpoints } from '../../../lib/transport/aws-endpoints.ts';
import { createHttpClient } from '../../../lib/transport/http-client/http-client.ts';
import { createSigner } from '../../../lib/transport/sign.ts';
import { type Installation, UsageError } from '../command.ts';
import { composeInstallation } from './compose-installation.ts';
import { createStackSettings } from './stack-settings.ts';

export interface StackOptions {
  readonly stack: string;
  /** Default: that of the environment or the profile, as in AWS's own tools. */
  readonly region: string | undefined;
  readonly variables: NodeJS.ProcessEnv;
}

const outputNames: Readonly<Record<TableName, string>> = {
  access: 'AccessTable',
  catalog: 'CatalogTable',
  state: 'StateTable',
  usage: 'UsageTable',
};

/** Rejects if the stack cannot be read, or is not a gateway. */
export async function openStack({ stack, region: given, variables }: StackOptions): Promise<Installation> {
  const { region, outputs } = await readStack(
    stack,
    given || variables.AWS_REGION || variables.AWS_DEFAULT_REGION,
  );
  const output = (name: string) => {
    const value = outputs.get(name);
    if (value !== undefined) return value;
    throw new Error(`Stack ${stack} has no output ${name}. It is not a gateway, or an older version.`);
  };
  const client = createHttpClient();
  const shared = { sendForText: client.sendForText, sign: await signer(), region };
  const endpointOf = createEndpoints(region, variables);
  const dynamo = createAwsCall({
    ...shared,
    service: 'dynamodb',
    endpoint: endpointOf('dynamodb'),
    jsonVersion: '1.0',
  });
  const ssm = createAwsCall({ ...shared, service: 'ssm', endpoint: endpointOf('ssm'), jsonVersion: '1.1' });
  const nameOf = (purpose: TableName) => output(outputNames[purpose]);
  return {
    ...composeInstallation({ call: dynamo, nameOf, ledgerDays: outputs.get('LedgerDays') }),
    database: { call: dynamo, nameOf, isAws: true, stack },
    settings: createStackSettings({
      call: ssm,
      prefix: output('ProviderParametersPrefix'),
      kmsKey: outputs.get('KmsKey'),
    }),
    close: () => client.close(),
  };
}

const missingRegion =
  'Missing region: give --region <name>, set AWS_REGION, or choose a profile that has a region with AWS_PROFILE.';

/** Without a region, the SDK takes that of the profile: of a file of configuration, with keys or with a single sign-on. */
async function readStack(stack: string, given: string | undefined) {
  // Loaded only here: these libraries are large, and a local gateway does not need them.
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient(given ? { region: given } : {});
  const region = await client.config.region().catch(() => {
    throw new UsageError(missingRegion);
  });
  const answer = await client.send(new DescribeStacksCommand({ StackName: stack }));
  const outputs = answer.Stacks?.[0]?.Outputs ?? [];
  return {
    region,
    outputs: new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue])),
  };
}

async function signer(): Promise<Sign> {
  const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers');
  const credentials = fromNodeProviderChain();
  return createSigner(async () => {
    const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
    return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  });
}
