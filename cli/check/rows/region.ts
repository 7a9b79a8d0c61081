/**
 * Whether API Gateway streams answers in the region. Source: aws.amazon.com, "What's new", 2025-11-19: in all regions, AWS GovCloud (US) among
 * them. A region that was added since, or belongs to another partition, is not known.
 */
import { type AccountCheck, ok, warning } from '../check.ts';

/** Regions at the time of the announcement. Source: docs.aws.amazon.com, "AWS Regions". */
const streaming = new Set(
  `us-east-1 us-east-2 us-west-1 us-west-2 us-gov-east-1 us-gov-west-1 af-south-1 ap-east-1 ap-east-2 ap-northeast-1
  ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2 ap-southeast-1 ap-southeast-2 ap-southeast-3 ap-southeast-4 ap-southeast-5
  ap-southeast-6 ap-southeast-7 ca-central-1 ca-west-1 eu-central-1 eu-central-2 eu-north-1 eu-south-1 eu-south-2 eu-west-1 eu-west-2
  eu-west-3 il-central-1 me-central-1 me-south-1 mx-central-1 sa-east-1`.split(/\s+/),
);

export const region: AccountCheck = {
  id: 'region',
  title: 'Region',
  of: 'account',
  about: 'API Gateway streams answers in the region.',
  needs: [],
  async run({ aws }) {
    if (streaming.has(aws.region)) return [ok(`${aws.region} has response streaming of API Gateway.`)];
    return [
      warning(
        `it is not known whether API Gateway streams answers in ${aws.region}.`,
        'Look it up before you deploy: without it the deployment fails. compute=fargate does not need it.',
      ),
    ];
  },
};
