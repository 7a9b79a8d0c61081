/** What the operator's own key of KMS may be used for. */
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** What a table with a key of the operator needs of those who read and write it. Source: aws-cdk-lib, `aws-dynamodb/lib/perms`. */
export const tableKeyActions = [
  'Decrypt',
  'DescribeKey',
  'Encrypt',
  'GenerateDataKey',
  'ReEncryptFrom',
  'ReEncryptTo',
].map((action) => `kms:${action}`);

/**
 * Allows a service to use the operator's key for a role, and the role to use it in no other way. DynamoDB and the
 * parameter store decrypt with the permissions of the reader. Source: docs.aws.amazon.com KMS, conditions-kms.
 */
export const usingKey = (
  kmsKeyArn: string,
  service: string,
  actions: readonly string[],
  contextLike?: Record<string, string>,
): PolicyStatement =>
  new PolicyStatement({
    actions: [...actions],
    resources: [kmsKeyArn],
    conditions: {
      StringEquals: { 'kms:ViaService': viaService(service) },
      ...(contextLike && { StringLike: contextLike }),
    },
  });

/** KMS documents `amazonaws.com` alone; regions of other partitions may have their own suffix here, as in the names of hosts. */
const viaService = (service: string): string[] =>
  ['amazonaws.com', Aws.URL_SUFFIX].map((suffix) => `${service}.${Aws.REGION}.${suffix}`);
