/** A gateway in AWS. Table names come from the outputs of its stack, credentials from the AWS default chain. */

import { type AwsClients, createAwsClients } from '../../infra/aws/clients.ts';
import { describeStack, findStack } from '../../infra/aws/stacks.ts';
import { adminStackName } from '../../infra/names.ts';
import type { TableName } from '../../lib/core/tables.ts';
import { createMembers } from '../../lib/runtime/admin/members.ts';
import { createSealer } from '../../lib/runtime/own-keys/seal.ts';
import { createStackSettings } from '../../lib/runtime/provider-settings/parameter-store.ts';
import { deriveInStack } from '../../lib/runtime/stack-secret.ts';
import type { Installation } from '../command.ts';
import { openAws } from './aws-access.ts';
import { composeInstallation } from './compose-installation.ts';

const outputNames: Readonly<Record<TableName, string>> = {
  access: 'AccessTable',
  catalog: 'CatalogTable',
  files: 'FilesTable',
  state: 'StateTable',
  usage: 'UsageTable',
};

/** `region`: by default that of the environment or the profile. Rejects if the stack cannot be read, or is not a gateway. */
export async function openStack(
  stack: string,
  region: string | undefined,
  variables: NodeJS.ProcessEnv,
): Promise<Installation> {
  const access = await openAws(region, variables);
  const aws = createAwsClients(access);
  const outputs = (await describeStack(aws, stack)).outputs;
  const output = (name: string) => {
    const value = outputs.get(name);
    if (value !== undefined) return value;
    throw new Error(`Stack ${stack} has no output ${name}. It is not a gateway, or an older version.`);
  };
  const call = aws.json('dynamodb');
  const nameOf = (purpose: TableName) => output(outputNames[purpose]);
  return {
    ...composeInstallation({ call, nameOf, ledgerDays: outputs.get('LedgerDays') }),
    database: { call, nameOf, isAws: true, stack },
    sealer: createSealer({
      derive: deriveInStack({
        call: aws.json('ssm'),
        prefix: output('ProviderParametersPrefix'),
        now: Date.now,
        warn: () => {},
      }),
      kmsKey: outputs.get('KmsKey'),
      kms: async () => aws.json('kms'),
    }),
    settings: createStackSettings({
      call: aws.json('ssm'),
      prefix: output('ProviderParametersPrefix'),
      kmsKey: outputs.get('KmsKey'),
    }),
    members: async () => createMembers(await userPoolOf(aws, stack), access),
    close: () => access.close(),
  };
}

/** Of the third stack, which is named after this one. */
async function userPoolOf(aws: AwsClients, stack: string): Promise<string> {
  const name = adminStackName(stack);
  const admin = await findStack(aws, name);
  const pool = admin?.outputs.get('UserPoolId');
  if (pool !== undefined) return pool;
  throw new Error(
    `There is no stack ${name} with a user pool. Deploy the dashboard first (see docs/operate/dashboard.md).`,
  );
}
