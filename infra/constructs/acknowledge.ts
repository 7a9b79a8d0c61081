/** Why the template may have what the AWS Solutions rules (cdk-nag) find in it. */
import { Aws, Validations } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';

/** Reasons by the numbers of rules. */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  const rules = Object.entries(reasons).map(([rule, reason]) => ({ id: `AwsSolutions-${rule}`, reason }));
  Validations.of(construct).acknowledge(...rules);
}

/** The same reason for several rules. */
export const acknowledgeAll = (construct: IConstruct, rules: readonly string[], reason: string): void =>
  acknowledge(construct, Object.fromEntries(rules.map((rule) => [rule, reason])));

/** Why a role may use more than one resource by one name: the rules find every `*`. */
export const acknowledgeWildcards = (role: Role, resources: readonly string[], reason: string): void =>
  acknowledgeAll(
    role,
    resources.map((resource) => `IAM5[Resource::${withPlaceholders(resource)}]`),
    reason,
  );

/** What they find in the roles of the library's functions that copy assets. */
export const assetRules = [
  'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
  'IAM5[Resource::arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>/*]',
];

/** An ARN in the form of a rule's finding: with placeholders for values that are only known during a deployment. */
const withPlaceholders = (arn: string): string =>
  arn
    .replaceAll(Aws.PARTITION, '<AWS::Partition>')
    .replaceAll(Aws.REGION, '<AWS::Region>')
    .replaceAll(Aws.ACCOUNT_ID, '<AWS::AccountId>');
