/** A gateway in AWS. Table names come from the outputs of its stack, credentials from the AWS default chain. */
import type { Sign } from '../../../lib/core/ports/aws.ts';
import type { TableName } from '../../../lib/core/tables.ts';
import { createAwsCall } from '../../../lib/transport/aws-call.ts';
import { createHttpClient } from '../../../lib/transport/http-client/http-client.ts';
import { createSigner } from '../../../lib/transport/sign.ts';
import { type Installation, UsageError } from '../command.ts';
import { composeInstallation } from './compose-installation.ts';
import { createStackSettings } from './stack-settings.ts';

export interface StackOptions {
  readonly stack: string;
  readonly region: string | undefined;
  /** `AWS_ENDPOINT_URL_<SERVICE>` or `AWS_ENDPOINT_URL` replace the documented endpoints, as in AWS's own tools. */
  readonly variables: NodeJS.ProcessEnv;
}

const outputNames: Readonly<Record<TableName, string>> = {
  access: 'AccessTable',
  catalog: 'CatalogTable',
  state: 'StateTable',
  usage: 'UsageTable',
};

/** Rejects if the stack cannot be read, or is not a gateway. */
export async function openStack({ stack, region, variables }: StackOptions): Promise<Installation> {
  if (!region) throw new UsageError('Missing region: give --region <name> or set AWS_REGION.');
  const endpointOf = (service: string) => {
    const url = variables[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] ?? variables.AWS_ENDPOINT_URL;
    return url === undefined ? {} : { endpoint: url };
  };
  const outputs = await readOutputs(stack, { region, ...endpointOf('cloudformation') });
  const output = (name: string) => {
    const value = outputs.get(name);
    if (value !== undefined) return value;
    throw new Error(`Stack ${stack} has no output ${name}. It is not a gateway, or an older version.`);
  };
  const client = createHttpClient();
  const shared = { sendForText: client.sendForText, sign: await signer(), region };
  const dynamo = createAwsCall({
    ...shared,
    service: 'dynamodb',
    jsonVersion: '1.0',
    ...endpointOf('dynamodb'),
  });
  const ssm = createAwsCall({ ...shared, service: 'ssm', jsonVersion: '1.1', ...endpointOf('ssm') });
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

async function readOutputs(
  stack: string,
  client: { readonly region: string; readonly endpoint?: string },
): Promise<ReadonlyMap<string, string>> {
  // Loaded only here: these libraries are large, and a local gateway does not need them.
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const answer = await new CloudFormationClient(client).send(new DescribeStacksCommand({ StackName: stack }));
  const outputs = answer.Stacks?.[0]?.Outputs ?? [];
  return new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
}

async function signer(): Promise<Sign> {
  const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers');
  const credentials = fromNodeProviderChain();
  return createSigner(async () => {
    const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
    return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  });
}
