/**
 * The code of Web Functions, which Lambda reads from a bucket with versions whenever an environment starts. The CDK makes one bucket
 * for a stack, and a function that copies each bundle into it; what its rules find there is the library's.
 */
import { Stack, Validations } from 'aws-cdk-lib';
import { WebFunctionCode } from 'aws-cdk-lib/aws-lambda';
import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

export const webCode = (bundle: string): WebFunctionCode => WebFunctionCode.fromAssetToManagedBucket(bundle);

/** The library's own names. Source: aws-cdk-lib, `aws-lambda/lib/webfunction-code`. */
const bucketId = 'AWSCDKWebFunctionAssetBucket';
const copyId = /^Custom::S3ObjectCopy/;

/** Call it when all Web Functions of the stack are there. */
export function acknowledgeWebCode(scope: Construct): void {
  const { children } = Stack.of(scope).node;
  const acknowledge = (construct: Construct, reason: string, names: readonly string[]) =>
    Validations.of(construct).acknowledge(...names.map((name) => ({ id: `AwsSolutions-${name}`, reason })));
  for (const child of children as Construct[]) {
    if (child.node.id === bucketId)
      acknowledge(child, 'It holds only the code of this project, which Lambda alone reads.', ['S1']);
    if (copyId.test(child.node.id))
      acknowledge(child, 'The library grants it, to copy code.', ofCopies(child));
  }
}

/** What the rules find in the role of the function that copies. */
function ofCopies(copy: Construct): readonly string[] {
  const assets = 'arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>/*';
  const bucket = Stack.of(copy).node.findChild(bucketId).node.findChild('Resource');
  const logicalId = Stack.of(copy).resolve((bucket as CfnBucket).logicalId);
  return [
    'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
    'IAM5[Action::s3:Abort*]',
    'IAM5[Action::s3:DeleteObject*]',
    `IAM5[Resource::${assets}]`,
    `IAM5[Resource::<${logicalId}.Arn>/web-function/*]`,
  ];
}
