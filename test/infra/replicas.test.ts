/** A gateway of several regions: what they share, and what each has for itself. */
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { GatewayDataStack } from '../../infra/data-stack.ts';
import { dataStackName } from '../../infra/names.ts';
import { readSettings } from '../../infra/settings/settings.ts';
import { readTemplate } from './read-template.ts';
import { makeStack } from './synthesize.ts';

const env = { account: '123456789012', region: 'us-east-1' };
const key = 'arn:aws:kms:us-east-1:123456789012:key/mrk-0a1b2c3d';

const read = (context: Record<string, string>) => readSettings(new App({ context }).node);

/** The replicas of each table, by the name of the table. */
function replicasOf(context: Record<string, string>) {
  const app = new App();
  const { stackName, ...settings } = read(context);
  const data = new GatewayDataStack(app, dataStackName(stackName), { ...settings, stackTags: {}, env });
  const found = readTemplate(Template.fromStack(data)).ofType('AWS::DynamoDB::GlobalTable');
  return Object.fromEntries(
    found.map(([id, { Properties }]) => [
      id.replace(/Table.*/, ''),
      Properties.Replicas as readonly { readonly Region: string; readonly SSESpecification?: object }[],
    ]),
  );
}

test('models and keys are shared, ledger, limits and stored responses are not', () => {
  const replicas = replicasOf({ replicaRegions: 'eu-west-1,ap-south-1' });
  const regions = Object.fromEntries(
    Object.entries(replicas).map(([name, of]) => [name, of.map(({ Region }) => Region)]),
  );
  expect(regions).toEqual({
    Catalog: ['eu-west-1', 'ap-south-1', 'us-east-1'],
    Access: ['eu-west-1', 'ap-south-1', 'us-east-1'],
    State: ['us-east-1'],
    Usage: ['us-east-1'],
  });
  for (const replica of [...(replicas.Catalog ?? []), ...(replicas.Access ?? [])])
    expect(replica).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
});

test('each replica is encrypted with the key of its region', () => {
  const { Access } = replicasOf({ replicaRegions: 'eu-west-1', kmsKeyArn: key });
  expect(Access?.map(({ Region, SSESpecification }) => [Region, SSESpecification])).toEqual([
    ['eu-west-1', { KMSMasterKeyId: key.replace('us-east-1', 'eu-west-1') }],
    ['us-east-1', { KMSMasterKeyId: key }],
  ]);
});

test('every function that keeps records, and the aggregator, know where credit is served', () => {
  const { stack } = makeStack({ creditRegion: 'us-east-1' });
  const { ofType } = readTemplate(Template.fromStack(stack));
  const functions = ofType('AWS::Lambda::Function').map(([, { Properties }]) => Properties);
  const variablesOf = ({ Environment }: (typeof functions)[number]) =>
    (Environment as { Variables?: Record<string, unknown> } | undefined)?.Variables ?? {};
  const keepers = functions.filter(
    (one) => 'GATEWAY_LEDGER_DAYS' in variablesOf(one) && 'ACCESS_TABLE' in variablesOf(one),
  );
  const spending = keepers.filter(({ Description }) => /^POST|^Adds up/.test(String(Description)));
  expect(spending.length).toBeGreaterThan(5);
  for (const one of spending) expect(variablesOf(one)).toMatchObject({ GATEWAY_CREDIT_REGION: 'us-east-1' });
});

test.each([
  [{ replicaRegions: 'europe' }, '"replicaRegions" must be a list of regions'],
  [{ replicaRegions: 'eu-west-1,eu-west-1' }, '"replicaRegions" names a region twice'],
  [
    { replicaRegions: 'eu-west-1', kmsKeyArn: key.replace('mrk-', '') },
    '"kmsKeyArn" must be a multi-region key',
  ],
  [
    { replicaRegions: 'eu-west-1', 'tables.access': 'arn:aws:dynamodb:us-east-1:123456789012:table/Access' },
    '"replicaRegions" and "tables.access" exclude each other',
  ],
  [{ creditRegion: 'here' }, '"creditRegion" must be a region'],
])('is refused: %j', (context, message) => {
  expect(() => read(context)).toThrow(message);
});
