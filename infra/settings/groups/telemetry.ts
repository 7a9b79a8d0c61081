/** Where a deployment sends spans and metrics of its requests, and metrics in its log lines, which are off where they are not asked for. */
import { maxMetricModels } from '../../../lib/metering/request-metrics.ts';
import { isProviderName } from '../../../lib/providers/provider-names.ts';
import { isOn, listOf, type SettingRow, type SettingText } from '../values.ts';

export interface MetricSettings {
  /**
   * `metrics=on`, with `metricModels`: the models that are counted by name, separated by commas. A list, as a number would count in each
   * environment anew, and the metrics of all of them together would have no bound.
   */
  readonly metrics: { readonly models: readonly string[] } | undefined;
}

/** Characters of a model's id in a metric. Source: docs.aws.amazon.com AmazonCloudWatch, API_Dimension. */
const modelId = /^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,254}$/;

/** Characters of them together: a function has 4 KB for its whole environment. Source: docs.aws.amazon.com Lambda, gettingstarted-limits. */
const maxMetricModelNames = 2_000;

/**
 * Lambda puts what a Web Function writes into a line of its own, and metrics are only found at the root of a line. Source:
 * aws/agent-toolkit-for-aws, aws-lambda-web-functions, observability; CloudWatch_Embedded_Metric_Format_Specification.
 */
const hosts = ['event', 'fargate'] as const;

export const metricRows: readonly SettingRow[] = [
  {
    name: 'metrics',
    meaning:
      '`on`: metrics of each request in its log line, by operation and provider. They cost by the month: [alarms.md](../operate/alarms.md#metrics-of-requests)',
    hosts,
  },
  { name: 'metricModels', meaning: 'The models that these metrics count by name', hosts, form: 'list' },
];

/** Throws an Error that names the setting at fault. */
export function readMetrics(text: SettingText): MetricSettings {
  const areOn = isOn(text, 'metrics');
  const models = [...new Set(listOf(text, 'metricModels'))];
  if (!areOn && models.length > 0)
    throw new Error('The setting "metricModels" has no effect without metrics=on: leave it out.');
  const wrong = models.find((model) => !modelId.test(model));
  if (wrong !== undefined)
    throw new Error(`The setting "metricModels" must be ids of models, separated by commas, not "${wrong}".`);
  if (models.length > maxMetricModels)
    throw new Error(
      `The setting "metricModels" must name at most ${maxMetricModels} models, not ${models.length}.`,
    );
  if (models.join(',').length > maxMetricModelNames)
    throw new Error(`The setting "metricModels" may have at most ${maxMetricModelNames} characters.`);
  return { metrics: areOn ? { models } : undefined };
}

export interface TelemetrySettings {
  /** `otlpEndpoint`: the https URL of an OTLP/HTTP endpoint, or `cloudwatch`; nowhere by default. */
  readonly otlpEndpoint: string;
  /** `traceProviders`: the providers whose calls name the trace of their request, separated by commas, or `all`; none by default. */
  readonly traceProviders: readonly string[];
}

export const cloudWatch = 'cloudwatch';
const allProviders = 'all';

export const telemetryRows: readonly SettingRow[] = [
  {
    name: 'otlpEndpoint',
    meaning:
      'Where spans and metrics of requests go: the https URL of an OTLP/HTTP endpoint, or `cloudwatch`. [telemetry.md](../operate/telemetry.md)',
  },
  {
    name: 'traceProviders',
    meaning: 'The providers whose calls name the trace of their request, or `all`; with `otlpEndpoint`',
    form: 'list',
  },
];

/** Throws an Error that names the setting at fault. */
export function readTelemetry(text: SettingText): TelemetrySettings {
  const otlpEndpoint = readEndpoint(text('otlpEndpoint', ''));
  const traceProviders = listOf(text, 'traceProviders');
  if (!traceProviders.every(isProviderName))
    throw new Error('The setting "traceProviders" must be names of providers, separated by commas, or all.');
  if (traceProviders.includes(allProviders) && traceProviders.length > 1)
    throw new Error('The setting "traceProviders" is either all or a list of names.');
  if (traceProviders.length > 0 && otlpEndpoint === '')
    throw new Error('The setting "traceProviders" has no effect without "otlpEndpoint": leave it out.');
  return { otlpEndpoint, traceProviders };
}

/** A key in the URL would be readable in the template. */
function readEndpoint(value: string): string {
  if (value === '' || value === cloudWatch) return value;
  const url = URL.parse(value);
  const isPlain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (isPlain && url.protocol === 'https:') return value;
  throw new Error(
    `The setting "otlpEndpoint" must be ${cloudWatch} or an https URL without a user and a query. Secret headers belong in the parameter store.`,
  );
}
