/** The partitions of AWS: groups of regions with names of their own. Source: botocore, `data/partitions.json` (2026-08-07). */

interface Partition {
  /** As in ARNs. */
  readonly name: string;
  /** How host names end. */
  readonly suffix: string;
  /** How the names of hosts end that also have addresses of version 6. */
  readonly dualStackSuffix: string;
}

const commercial: Partition = { name: 'aws', suffix: 'amazonaws.com', dualStackSuffix: 'api.aws' };

/** By how the names of their regions begin. */
const others: Readonly<Record<string, Partition>> = {
  'cn-': {
    name: 'aws-cn',
    suffix: 'amazonaws.com.cn',
    dualStackSuffix: 'api.amazonwebservices.com.cn',
  },
  'us-gov-': { name: 'aws-us-gov', suffix: 'amazonaws.com', dualStackSuffix: 'api.aws' },
  'eusc-': { name: 'aws-eusc', suffix: 'amazonaws.eu', dualStackSuffix: 'api.amazonwebservices.eu' },
  'us-iso-': { name: 'aws-iso', suffix: 'c2s.ic.gov', dualStackSuffix: 'api.aws.ic.gov' },
  'us-isob-': { name: 'aws-iso-b', suffix: 'sc2s.sgov.gov', dualStackSuffix: 'api.aws.scloud' },
  'eu-isoe-': { name: 'aws-iso-e', suffix: 'cloud.adc-e.uk', dualStackSuffix: 'api.cloud-aws.adc-e.uk' },
  'us-isof-': { name: 'aws-iso-f', suffix: 'csp.hci.ic.gov', dualStackSuffix: 'api.aws.hci.ic.gov' },
};

/** The partition of a region; `aws` for one that no other has. */
export function partitionOf(region: string): Partition {
  const start = Object.keys(others).find((each) => region.startsWith(each));
  return (start !== undefined && others[start]) || commercial;
}

const form = /^(xray|monitoring)(?:-fips)?\.([a-z]+(?:-[a-z]+)+-[0-9]+)\.([a-z0-9.-]+)$/;

/**
 * What requests to CloudWatch's endpoints for spans and metrics are signed for: those of X-Ray and of CloudWatch in any partition.
 * Undefined for any other host: its requests are not signed. Source: AmazonCloudWatch/latest/monitoring/CloudWatch-OTLPEndpoint.html.
 */
export function otlpSigning({
  protocol,
  hostname,
}: URL): { readonly service: string; readonly region: string } | undefined {
  const [, service, region, end] = form.exec(hostname) ?? [];
  if (protocol !== 'https:' || !service || !region) return undefined;
  const { suffix, dualStackSuffix } = partitionOf(region);
  return end === suffix || end === dualStackSuffix ? { service, region } : undefined;
}
