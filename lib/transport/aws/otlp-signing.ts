/**
 * What requests to CloudWatch's endpoints for spans and metrics are signed for: those of X-Ray and of CloudWatch in any partition.
 * Source: AmazonCloudWatch/latest/monitoring/CloudWatch-OTLPEndpoint.html.
 */
import { partitionOf } from './aws-partitions.ts';

const form = /^(xray|monitoring)(?:-fips)?\.([a-z]+(?:-[a-z]+)+-[0-9]+)\.([a-z0-9.-]+)$/;

/** Undefined for any other host: its requests are not signed. */
export function otlpSigning({
  protocol,
  hostname,
}: URL): { readonly service: string; readonly region: string } | undefined {
  const [, service, region, end] = form.exec(hostname) ?? [];
  if (protocol !== 'https:' || !service || !region) return undefined;
  const { suffix, dualStackSuffix } = partitionOf(region);
  return end === suffix || end === dualStackSuffix ? { service, region } : undefined;
}
