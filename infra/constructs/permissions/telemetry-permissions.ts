/** What is measured of requests, and what the role that sends spans and metrics may do. */
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { cloudWatch, type TelemetrySettings } from '../../settings/groups/telemetry.ts';
import type { Permissions } from './permissions.ts';
import { parameterArn } from './secret-permissions.ts';

/** Sets the namespace of the metrics in log lines, and the models that are counted by name in them. */
export function measureRequests(
  permissions: Permissions,
  namespace: string,
  models: readonly string[],
): void {
  permissions.setVariable('GATEWAY_METRICS', namespace);
  if (models.length > 0) permissions.setVariable('GATEWAY_METRIC_MODELS', models.join(','));
}

/** Makes what it serves part of a trace, whose spans the aggregator sends. */
export function traceRequests(
  permissions: Permissions,
  { otlpEndpoint, traceProviders }: TelemetrySettings,
): void {
  if (!otlpEndpoint) return;
  permissions.setVariables(endpointVariables(otlpEndpoint));
  if (traceProviders.length > 0) permissions.setVariable('GATEWAY_TRACE_PROVIDERS', traceProviders.join(','));
}

/**
 * Allows sending spans and metrics to CloudWatch or, to an endpoint of the operator's, with the headers that a SecureString named
 * `parameter` has. Source of the permissions: AWSXrayWriteOnlyPolicy and CloudWatchAgentServerPolicy, which AWS names for its
 * endpoints; neither action has resources.
 */
export function allowTelemetry(
  permissions: Permissions,
  otlpEndpoint: string,
  { parameter, name }: { readonly parameter: string; readonly name: string },
): void {
  if (!otlpEndpoint) return;
  permissions.setVariables(endpointVariables(otlpEndpoint));
  permissions.setVariable('OTEL_SERVICE_NAME', name);
  permissions.setVariable('OTEL_RESOURCE_ATTRIBUTES', `cloud.provider=aws,cloud.region=${Aws.REGION}`);
  if (otlpEndpoint === cloudWatch) {
    const actions = ['xray:PutTraceSegments', 'cloudwatch:PutMetricData'];
    permissions.adds(
      new PolicyStatement({ actions, resources: ['*'] }),
      'Spans and metrics have no resources to name.',
    );
    return;
  }
  const resource = parameterArn(parameter);
  permissions.allows(['ssm:GetParameter'], resource);
  permissions.usesKey('ssm', ['kms:Decrypt'], { 'kms:EncryptionContext:PARAMETER_ARN': resource });
  permissions.setVariable('GATEWAY_OTLP_HEADERS_PARAMETER', parameter);
}

/** Where spans and metrics are sent, as OpenTelemetry names them. CloudWatch has one host for spans and one for metrics. Source: CloudWatch-OTLPEndpoint.html. */
function endpointVariables(otlpEndpoint: string): Readonly<Record<string, string>> {
  if (otlpEndpoint !== cloudWatch) return { OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint };
  const place = `${Aws.REGION}.${Aws.URL_SUFFIX}`;
  return {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `https://xray.${place}/v1/traces`,
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `https://monitoring.${place}/v1/metrics`,
  };
}
