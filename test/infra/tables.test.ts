/** The stack of the tables, and what several regions share of them. */
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { GatewayDataStack } from '../../infra/data-stack.ts';
import { dataStackName } from '../../infra/names.ts';
import { readSettings } from '../../infra/settings/settings.ts';
import { tables } from '../../lib/core/tables.ts';
import { readStack, readTemplate } from './read-template.ts';
import { makeStack } from './synthesize.ts';

const { data, stack } = makeStack();
const { ofType, outputs, template } = readStack({}, 'data');

test('each is on demand, has recovery and expiry, and outlives the stack', () => {
  const found = ofType('AWS::DynamoDB::GlobalTable');
  expect(found).toHaveLength(Object.keys(tables).length);
  const sorted = { AttributeName: 'sk', KeyType: 'RANGE' };
  for (const [id, table] of found) {
    expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(table.Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, ...(/^(?:Usage|Files)/.test(id) ? [sorted] : [])],
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
      Replicas: [
        {
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      ],
    });
  }
});

test('what was deleted of stored responses cannot be restored if the operator wants that', () => {
  const forgetting = readStack({ responseRecovery: false }, 'data').ofType('AWS::DynamoDB::GlobalTable');
  const without = forgetting.filter(
    ([, { Properties }]) =>
      !Properties.Replicas[0].PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled,
  );
  expect(without.map(([id]) => id.replace(/Table.*/, ''))).toEqual(['State']);
});

test('each is deleted with a stack that does not retain them', () => {
  for (const [, table] of readStack({ retain: false }, 'data').ofType('AWS::DynamoDB::GlobalTable')) {
    expect(table.DeletionPolicy).toBe('Delete');
    expect(table.Properties.Replicas[0].DeletionProtectionEnabled).toBe(false);
  }
});

test('only the usage table has a stream, with both images of each item', () => {
  const streams = ofType('AWS::DynamoDB::GlobalTable').map(([id, { Properties }]) => [
    id.replace(/[0-9A-F]{8}$/, ''),
    Properties.StreamSpecification,
  ]);
  expect(streams.filter(([, stream]) => stream)).toEqual([
    ['UsageTable', { StreamViewType: 'NEW_AND_OLD_IMAGES' }],
  ]);
});

test('has nothing but tables and the bucket of files, and is not deleted by mistake', () => {
  const bucketWithPolicy = 2;
  expect(Object.values(template.toJSON().Resources)).toHaveLength(
    Object.keys(tables).length + bucketWithPolicy,
  );
  expect(data.terminationProtection).toBe(true);
});

describe('the bucket of files', () => {
  const bucketOf = (given: Parameters<typeof readStack>[0] = {}) =>
    readStack(given, 'data').ofType('AWS::S3::Bucket')[0]?.[1];

  test('is private, encrypted, emptied by itself, and outlives the stack', () => {
    expect(bucketOf()).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
        LifecycleConfiguration: {
          Rules: [
            {
              ExpirationInDays: 31,
              AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
              Status: 'Enabled',
            },
          ],
        },
      },
    });
  });

  test('takes requests with TLS only', () => {
    const [policy] = readStack({}, 'data').propertiesOf('AWS::S3::BucketPolicy');
    expect(policy?.PolicyDocument.Statement).toMatchObject([
      { Effect: 'Deny', Action: 's3:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    ]);
  });

  test("is encrypted with the operator's key, and keeps files for as long as the operator wants", () => {
    const kmsKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666';
    const { Properties } = bucketOf({ kmsKeyArn, fileDays: 2 }) ?? { Properties: {} };
    expect(JSON.stringify(Properties)).toContain(kmsKeyArn);
    expect(Properties.LifecycleConfiguration.Rules[0].ExpirationInDays).toBe(3);
  });

  test('is not made where no files are stored, or where one exists', () => {
    expect(bucketOf({ fileDays: 0 })).toBeUndefined();
    expect(readStack({ fileDays: 0 }).text).not.toContain('GATEWAY_FILES_BUCKET');
    expect(bucketOf({ filesBucket: 'acme-files' })).toBeUndefined();
    expect(readStack({ filesBucket: 'acme-files' }).text).toContain(':s3:::acme-files/t/*');
  });
});

test('is deployed before the stack that reads where its tables are', () => {
  expect(stack.dependencies).toEqual([data]);
  const ofTables = ['Access', 'Catalog', 'Files', 'State', 'Usage'].flatMap((name) => [
    `${name}TableArn`,
    `${name}TableName`,
  ]);
  expect(Object.keys(outputs).sort()).toEqual([...ofTables, 'FilesBucketName', 'UsageStreamArn'].sort());
  const { text } = readStack();
  // Not among the functions that Fn::Split accepts: docs.aws.amazon.com CloudFormation, intrinsic-function-reference-split.
  expect(text).not.toMatch(/"Fn::Split":\["[^"]*",\{"Fn::GetStackOutput"/);
  const read = text.matchAll(/"Fn::GetStackOutput":\{"StackName":"ModelGatewayData","OutputName":"(\w+)"\}/g);
  expect([...new Set([...read].map(([, name]) => name))].sort()).toEqual(Object.keys(outputs).sort());
});

describe('of several regions', () => {
  const env = { account: '123456789012', region: 'us-east-1' };
  const key = 'arn:aws:kms:us-east-1:123456789012:key/mrk-0a1b2c3d';
  const read = (context: Record<string, string>) => readSettings(new App({ context }).node);

  /** The replicas of each table, by the name of the table. */
  function replicasOf(
    context: Record<string, string>,
  ): Readonly<Record<string, readonly { Region: string }[]>> {
    const { stackName, ...settings } = read(context);
    const made = new GatewayDataStack(new App(), dataStackName(stackName), {
      ...settings,
      stackTags: {},
      env,
    });
    const found = readTemplate(Template.fromStack(made)).ofType('AWS::DynamoDB::GlobalTable');
    return Object.fromEntries(
      found.map(([id, { Properties }]) => [id.replace(/Table.*/, ''), Properties.Replicas]),
    );
  }

  test('models and keys are shared, ledger, limits and stored responses are not', () => {
    const replicas = Object.entries(replicasOf({ replicaRegions: 'eu-west-1,ap-south-1' }));
    const shared = ['eu-west-1', 'ap-south-1', 'us-east-1'];
    expect(Object.fromEntries(replicas.map(([name, of]) => [name, of.map(({ Region }) => Region)]))).toEqual({
      Catalog: shared,
      Access: shared,
      Files: ['us-east-1'],
      State: ['us-east-1'],
      Usage: ['us-east-1'],
    });
    for (const replica of replicas.flatMap(([, of]) => of))
      expect(replica).toMatchObject({
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      });
  });

  test('each replica is encrypted with the key of its region', () => {
    expect(replicasOf({ replicaRegions: 'eu-west-1', kmsKeyArn: key }).Access).toMatchObject([
      {
        Region: 'eu-west-1',
        SSESpecification: { KMSMasterKeyId: key.replace('us-east-1', 'eu-west-1') },
      },
      { Region: 'us-east-1', SSESpecification: { KMSMasterKeyId: key } },
    ]);
  });

  test('every function that keeps records, and the aggregator, know where credit is served', () => {
    const keepers = readStack({ creditRegion: 'us-east-1' })
      .propertiesOf('AWS::Lambda::Function')
      .filter(({ Description }) => /^POST(?!.*cancel$)|^Adds up/.test(String(Description)))
      .map(({ Environment }) => Environment.Variables)
      .filter((variables) => 'GATEWAY_LEDGER_DAYS' in variables && 'ACCESS_TABLE' in variables);
    expect(keepers.length).toBeGreaterThan(5);
    for (const variables of keepers) expect(variables).toMatchObject({ GATEWAY_CREDIT_REGION: 'us-east-1' });
  });

  test.each([
    [{ replicaRegions: 'europe' }, '"replicaRegions" must be a list of regions'],
    [{ replicaRegions: 'eu-west-1,eu-west-1' }, '"replicaRegions" names a region twice'],
    [
      { replicaRegions: 'eu-west-1', kmsKeyArn: key.replace('mrk-', '') },
      '"kmsKeyArn" must be a multi-region key',
    ],
    [
      {
        replicaRegions: 'eu-west-1',
        'tables.access': 'arn:aws:dynamodb:us-east-1:123456789012:table/Access',
      },
      '"replicaRegions" and "tables.access" exclude each other',
    ],
    [{ creditRegion: 'here' }, '"creditRegion" must be a region'],
  ])('is refused: %j', (context, message) => {
    expect(() => read(context)).toThrow(message);
  });
});
