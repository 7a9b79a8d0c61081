/** Why a role may use more than one resource by one name: cdk-nag finds every `*`. */
import { Aws, Validations } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';

export function acknowledgeWildcards(role: Role, resources: readonly string[], reason: string): void {
  const rules = resources.map((resource) => ({
    id: `AwsSolutions-IAM5[Resource::${withPlaceholders(resource)}]`,
    reason,
  }));
  Validations.of(role).acknowledge(...rules);
}

/** An ARN in the form of a rule's finding: with placeholders for values that are only known during a deployment. */
function withPlaceholders(arn: string): string {
  return arn
    .replaceAll(Aws.PARTITION, '<AWS::Partition>')
    .replaceAll(Aws.REGION, '<AWS::Region>')
    .replaceAll(Aws.ACCOUNT_ID, '<AWS::AccountId>');
}
