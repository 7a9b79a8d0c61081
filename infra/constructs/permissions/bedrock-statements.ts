/** What a role may do at Bedrock: no more than the settings let requests reach. */
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { allowedRegions } from '../../../lib/core/catalog/geography.ts';
import { regionsIn } from '../../../lib/core/catalog/regions.ts';
import type { BedrockSettings } from '../../settings/groups/bedrock.ts';

/**
 * The ARNs of models in every region that an allowed profile routes to, and of the profiles of the calling region: those of AWS, and
 * those that the account made of them, for its own tags on the bill. Source: docs.aws.amazon.com bedrock/latest/userguide,
 * geographic-cross-region-inference, inference-profiles-prereq.
 */
export function callable({ region, geography }: BedrockSettings['bedrock']): readonly string[] {
  const calling = region || Aws.REGION;
  const allowed = allowedRegions(calling, geography);
  const models = [...new Set(allowed?.flatMap(regionsIn) ?? ['*'])];
  // Where requests may go anywhere, a deployment may be called in the region that its row names.
  const profiles = `arn:${Aws.PARTITION}:bedrock:${allowed ? calling : '*'}:${Aws.ACCOUNT_ID}`;
  return [
    ...models.map((each) => `arn:${Aws.PARTITION}:bedrock:${each}::foundation-model/*`),
    `${profiles}:inference-profile/*`,
    `${profiles}:application-inference-profile/*`,
  ];
}

/**
 * Bedrock subscribes the account to a model of another owner when it is first called, with the permissions of the caller. Source:
 * docs.aws.amazon.com bedrock/latest/userguide, model-access.
 */
export const subscribing = () =>
  new PolicyStatement({
    actions: ['aws-marketplace:Subscribe', 'aws-marketplace:ViewSubscriptions'],
    resources: ['*'],
    conditions: { StringEquals: { 'aws:CalledViaLast': 'bedrock.amazonaws.com' } },
  });
