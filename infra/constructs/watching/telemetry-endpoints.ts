/** Where spans and metrics are sent. */
import { Aws } from 'aws-cdk-lib';
import { cloudWatch } from '../../settings/groups/telemetry.ts';

/** As OpenTelemetry names them. CloudWatch has one host for spans and one for metrics. Source: CloudWatch-OTLPEndpoint.html. */
export function endpointVariables(otlpEndpoint: string): Readonly<Record<string, string>> {
  if (otlpEndpoint !== cloudWatch) return { OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint };
  const place = `${Aws.REGION}.${Aws.URL_SUFFIX}`;
  return {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `https://xray.${place}/v1/traces`,
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `https://monitoring.${place}/v1/metrics`,
  };
}
