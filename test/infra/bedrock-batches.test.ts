/** The role that Bedrock has for batches: only what is below `bedrock/` of the bucket, and only for jobs of the account. */
import { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { expect, test } from 'vitest';
import { BedrockBatchRole } from '../../infra/constructs/batches/bedrock-role.ts';

function make(kmsKeyArn = '') {
  const stack = new Stack(new App(), 'Test');
  const bucket = new Bucket(stack, 'Bucket');
  const bedrock = { region: '', geography: 'any', marketplace: false };
  const { statements, environment } = new BedrockBatchRole(stack, 'Bedrock', { bucket, bedrock, kmsKeyArn });
  return { stack, statements, environment, template: Template.fromStack(stack) };
}

const actionsOf = (statement: PolicyStatement): readonly string[] => statement.actions;

test('Bedrock assumes it only for jobs of the account', () => {
  make().template.hasResourceProperties('AWS::IAM::Role', {
    AssumeRolePolicyDocument: {
      Statement: [
        Match.objectLike({
          Principal: { Service: 'bedrock.amazonaws.com' },
          Condition: {
            StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
            ArnLike: { 'aws:SourceArn': Match.anyValue() },
          },
        }),
      ],
    },
  });
});

test('it reads and writes below one prefix', () => {
  const { template } = make();
  const [policy] = Object.values(template.findResources('AWS::IAM::Policy'));
  const [files, listing, models] = policy?.Properties.PolicyDocument.Statement ?? [];
  expect(files.Action).toEqual(['s3:GetObject', 's3:PutObject']);
  expect(JSON.stringify(files.Resource)).toContain('/bedrock/*');
  expect(listing.Condition).toEqual({ StringLike: { 's3:prefix': 'bedrock/*' } });
  expect(models.Action).toBe('bedrock:InvokeModel');
});

test('a function makes jobs with it, and passes it to nothing but Bedrock', () => {
  const { statements, environment } = make('arn:aws:kms:eu-west-1:111122223333:key/a');
  expect(statements.flatMap(actionsOf)).toEqual([
    's3:GetObject',
    's3:PutObject',
    's3:DeleteObject',
    's3:ListBucket',
    'kms:Decrypt',
    'kms:GenerateDataKey',
    'bedrock:CreateModelInvocationJob',
    'bedrock:GetModelInvocationJob',
    'bedrock:StopModelInvocationJob',
    'bedrock:ListModelInvocationJobs',
    'iam:PassRole',
  ]);
  expect(statements.at(-1)?.conditions).toEqual({
    StringEquals: { 'iam:PassedToService': 'bedrock.amazonaws.com' },
  });
  expect(Object.keys(environment)).toEqual(['BEDROCK_BATCH_BUCKET', 'BEDROCK_BATCH_ROLE']);
});
