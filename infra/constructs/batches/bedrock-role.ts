/**
 * What batches of Bedrock need in AWS: the role with which Bedrock reads the requests of a job from a bucket and writes the answers, both
 * below `bedrock/`, and what the function may do that makes the jobs. The bucket is in the region where Bedrock is called. Sources:
 * docs.aws.amazon.com bedrock/latest/userguide, batch-iam-sr and batch-inference-permissions.
 */
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { BedrockSettings } from '../../settings/groups/bedrock.ts';
import { callable } from '../permissions/model-permissions.ts';
import { usingKey } from '../permissions/statements.ts';

interface BedrockBatchRoleProps extends BedrockSettings {
  readonly bucket: Pick<IBucket, 'arnForObjects' | 'bucketArn' | 'bucketName'>;
  /** Of the operator, with which the objects are encrypted; empty: they are with one of S3. */
  readonly kmsKeyArn: string;
}

const prefix = 'bedrock/';
const bedrock = 'bedrock.amazonaws.com';

export class BedrockBatchRole extends Construct {
  /** For the function that makes jobs, and collects their answers. */
  readonly statements: readonly PolicyStatement[];
  readonly environment: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, props: BedrockBatchRoleProps) {
    super(scope, id);
    const { bucket } = props;
    const jobs = `arn:${Aws.PARTITION}:bedrock:${props.bedrock.region || Aws.REGION}:${Aws.ACCOUNT_ID}:model-invocation-job/*`;
    const role = new Role(this, 'Role', {
      description: 'Bedrock reads and writes the files of batches',
      assumedBy: new ServicePrincipal(bedrock, {
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
          ArnLike: { 'aws:SourceArn': jobs },
        },
      }),
    });
    for (const statement of [...filesOf(props, ['GetObject', 'PutObject']), calling(props)]) {
      role.addToPolicy(statement);
    }
    this.statements = [
      ...filesOf(props, ['GetObject', 'PutObject', 'DeleteObject']),
      ...managing(props, jobs),
      new PolicyStatement({
        actions: ['iam:PassRole'],
        resources: [role.roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': bedrock } },
      }),
    ];
    this.environment = { BEDROCK_BATCH_BUCKET: bucket.bucketName, BEDROCK_BATCH_ROLE: role.roleArn };
  }
}

/** What is below the prefix, and nothing else of the bucket. */
function filesOf(
  { bucket, kmsKeyArn }: BedrockBatchRoleProps,
  actions: readonly string[],
): readonly PolicyStatement[] {
  const files = new PolicyStatement({
    actions: actions.map((action) => `s3:${action}`),
    resources: [bucket.arnForObjects(`${prefix}*`)],
  });
  const listing = new PolicyStatement({
    actions: ['s3:ListBucket'],
    resources: [bucket.bucketArn],
    conditions: { StringLike: { 's3:prefix': `${prefix}*` } },
  });
  if (kmsKeyArn === '') return [files, listing];
  return [files, listing, usingKey(kmsKeyArn, 's3', ['kms:Decrypt', 'kms:GenerateDataKey'])];
}

/** An inference profile is called with the permissions of the role. */
const calling = (props: BedrockSettings) =>
  new PolicyStatement({ actions: ['bedrock:InvokeModel'], resources: [...callable(props.bedrock)] });

const managing = (props: BedrockSettings, jobs: string): readonly PolicyStatement[] => [
  new PolicyStatement({
    actions: ['bedrock:CreateModelInvocationJob'],
    resources: [...callable(props.bedrock), jobs],
  }),
  new PolicyStatement({
    actions: ['bedrock:GetModelInvocationJob', 'bedrock:StopModelInvocationJob'],
    resources: [jobs],
  }),
  // It has no resources.
  new PolicyStatement({ actions: ['bedrock:ListModelInvocationJobs'], resources: ['*'] }),
];
