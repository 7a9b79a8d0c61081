/** Metrics of each request, which cost by the month and are off where they are not asked for. */
import { maxMetricModels } from '../../../lib/metering/request-metrics.ts';
import type { SettingRow } from '../row.ts';
import { oneOf, type SettingText } from '../values.ts';

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
  const isOn = oneOf('metrics', text('metrics', 'off'), ['on', 'off']) === 'on';
  const models = [
    ...new Set(
      text('metricModels', '')
        .split(',')
        .flatMap((part) => part.trim() || []),
    ),
  ];
  if (!isOn && models.length > 0)
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
  return { metrics: isOn ? { models } : undefined };
}
