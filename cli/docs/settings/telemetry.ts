/** The variables of OpenTelemetry that the functions and the aggregator read. */
import { defaultServiceName, defaultTimeoutMs } from '../../../lib/telemetry/settings.ts';
import type { SettingGroup, SettingRow } from './row.ts';

/** A variable for both signals, and those for one of them. */
const forSignals = (name: string, meaning: string, absent: string): readonly SettingRow[] => [
  [`OTEL_EXPORTER_OTLP_${name}`, meaning, absent],
  [`OTEL_EXPORTER_OTLP_TRACES_${name}`, 'The same for spans alone', `\`OTEL_EXPORTER_OTLP_${name}\``],
  [`OTEL_EXPORTER_OTLP_METRICS_${name}`, 'The same for metrics alone', `\`OTEL_EXPORTER_OTLP_${name}\``],
];

export const telemetrySettings: SettingGroup = {
  title: 'OpenTelemetry',
  introduction:
    'Read by the aggregator; processes that serve requests read the endpoints, to know whether there are spans. [telemetry.md](../operate/telemetry.md) describes what is sent.',
  rows: [
    ...forSignals(
      'ENDPOINT',
      'Where spans and metrics go: a URL, to which `/v1/traces` and `/v1/metrics` are added; those for one signal are used as they are',
      'nothing is sent',
    ),
    ...forSignals('HEADERS', 'Headers, as `name=value,name=value` with percent-encoded values', 'none'),
    ...forSignals('COMPRESSION', '`gzip` or `none`', '`gzip`'),
    ...forSignals('TIMEOUT', 'For one request, in milliseconds', `${defaultTimeoutMs}`),
    ...forSignals('PROTOCOL', '`http/json`; the gateway has no other', '`http/json`'),
    ['OTEL_TRACES_EXPORTER', '`none`: no spans', 'spans'],
    ['OTEL_METRICS_EXPORTER', '`none`: no metrics', 'metrics'],
    ['OTEL_SDK_DISABLED', '`true`: neither', 'both'],
    ['OTEL_SERVICE_NAME', 'The name of the service', `\`${defaultServiceName}\``],
    ['OTEL_RESOURCE_ATTRIBUTES', 'Attributes of the resource, as `name=value,name=value`', 'none'],
    [
      'GATEWAY_OTLP_HEADERS_PARAMETER',
      'The SecureString of the parameter store with headers that are secret, in the form of the variable',
      'none',
    ],
    [
      'GATEWAY_TRACE_PROVIDERS',
      'The providers whose calls have `traceparent`, separated by commas, or `all`',
      'none',
    ],
  ],
};
