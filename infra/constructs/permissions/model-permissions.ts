/** What roles may do at Bedrock: no more than the settings let requests reach. */
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { allowedRegions } from '../../../lib/core/catalog/geography.ts';
import { regionsIn } from '../../../lib/core/catalog/regions.ts';
import type { BedrockSettings } from '../../settings/groups/bedrock.ts';
import type { Permissions } from './permissions.ts';

type Bedrock = BedrockSettings['bedrock'];

/** Allows calling models, and subscribing to them there if the operator wants it. */
export function allowModels(permissions: Permissions, bedrock: Bedrock): void {
  allowCalls(permissions, bedrock, 'bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream');
  allowDetectors(permissions, bedrock);
  if (bedrock.marketplace)
    permissions.adds(
      subscribing(),
      'Products of the marketplace have no ARN, and only Bedrock may name one.',
    );
}

/** Allows asking guardrails and checks. */
export function allowDetectors(permissions: Permissions, bedrock: Bedrock): void {
  const wildcards =
    'Policies of tenants name guardrails while the gateway runs; checks have no resource to name.';
  for (const statement of guarding(bedrock)) permissions.adds(statement, wildcards);
}

/** Allows counting tokens. */
export const allowTokenCounts = (permissions: Permissions, bedrock: Bedrock): void =>
  allowCalls(permissions, bedrock, 'bedrock:CountTokens');

function allowCalls(permissions: Permissions, bedrock: Bedrock, ...actions: string[]): void {
  permissions.adds(
    new PolicyStatement({ actions, resources: [...callable(bedrock)] }),
    'The catalog decides which models are served and where; a row may be added without a deployment.',
  );
  if (bedrock.region) permissions.setVariable('GATEWAY_BEDROCK_REGION', bedrock.region);
  if (bedrock.geography !== 'any') permissions.setVariable('GATEWAY_BEDROCK_GEOGRAPHY', bedrock.geography);
}

/**
 * The ARNs of models in every region that an allowed profile routes to, and of the profiles of the calling region: those of AWS, and
 * those that the account made of them, for its own tags on the bill. Source: docs.aws.amazon.com bedrock/latest/userguide,
 * geographic-cross-region-inference, inference-profiles-prereq.
 */
export function callable({ region, geography }: Bedrock): readonly string[] {
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
 * What policies of guardrails name: guardrails of the account, which may work in other regions by a profile, and checks that have no
 * resource. Each in the regions that requests may reach. Source: docs.aws.amazon.com bedrock/latest/userguide, guardrails-permissions,
 * guardrail-profiles-permissions.
 */
function guarding({ region, geography }: Bedrock): readonly PolicyStatement[] {
  const allowed = allowedRegions(region || Aws.REGION, geography);
  const regions = [...new Set(allowed?.flatMap(regionsIn) ?? ['*'])];
  const resources = regions.flatMap((each) =>
    ['guardrail', 'guardrail-profile'].map(
      (kind) => `arn:${Aws.PARTITION}:bedrock:${each}:${Aws.ACCOUNT_ID}:${kind}/*`,
    ),
  );
  return [
    new PolicyStatement({ actions: ['bedrock:ApplyGuardrail'], resources }),
    new PolicyStatement({
      actions: ['bedrock:InvokeGuardrailChecks'],
      resources: ['*'],
      ...(allowed && { conditions: { StringEquals: { 'aws:RequestedRegion': regions } } }),
    }),
  ];
}

/**
 * Bedrock subscribes the account to a model of another owner when it is first called, with the permissions of the caller. Source:
 * docs.aws.amazon.com bedrock/latest/userguide, model-access.
 */
const subscribing = () =>
  new PolicyStatement({
    actions: ['aws-marketplace:Subscribe', 'aws-marketplace:ViewSubscriptions'],
    resources: ['*'],
    conditions: { StringEquals: { 'aws:CalledViaLast': 'bedrock.amazonaws.com' } },
  });
