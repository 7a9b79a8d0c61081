/**
 * What CloudWatch takes out of a line of a log in its embedded metric format, or why it would take nothing. Source of the rules:
 * docs.aws.amazon.com AmazonCloudWatch, CloudWatch_Embedded_Metric_Format_Specification and its JSON schema; API_Dimension, MetricDatum.
 */
import * as z from 'zod';

const units = [
  ...['Seconds', 'Microseconds', 'Milliseconds', 'Percent', 'Count', 'Count/Second', 'None'],
  ...['Bytes', 'Kilobytes', 'Megabytes', 'Gigabytes', 'Terabytes'],
  ...['Bits', 'Kilobits', 'Megabits', 'Gigabits', 'Terabits'],
];

const name = z.string().min(1).max(255);
const definition = z.strictObject({ Name: name.max(1_024), Unit: z.enum(units).optional() });
const directive = z.strictObject({
  Namespace: name.regex(/^[^:]/),
  Dimensions: z.array(z.array(name).max(30)).min(1),
  Metrics: z.array(definition).max(100),
});
const root = z.looseObject({
  _aws: z.looseObject({ Timestamp: z.int().positive(), CloudWatchMetrics: z.array(directive).min(1) }),
});

/** CloudWatch takes times from two weeks ago to two hours ahead. */
const span = { past: 14 * 86_400_000, ahead: 2 * 3_600_000 };

const metricTarget = z.union([z.number(), z.array(z.number()).max(100)]);
/** Of ASCII characters, with one that is not a space, and not a colon first. */
const dimensionTarget = z
  .string()
  .max(1_024)
  .regex(/^(?!:)(?=.*[!-~])[ -~]+$/);

export interface ExtractedMetric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly value: unknown;
}

/** Throws for a line that breaks a rule. */
export function extractMetrics(line: string): readonly ExtractedMetric[] {
  const record = root.parse(JSON.parse(line));
  const { Timestamp, CloudWatchMetrics } = record._aws;
  const age = Date.now() - Timestamp;
  if (age > span.past || age < -span.ahead) throw new Error(`its time is ${age} ms ago`);
  const targets = new Map(Object.entries(record));
  return CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((keys) => {
      const dimensions = keys.map((key) => [key, dimensionTarget.parse(targets.get(key))] as const);
      return Metrics.map(({ Name }) => ({
        namespace: Namespace,
        name: Name,
        dimensions: Object.fromEntries(dimensions),
        value: metricTarget.parse(targets.get(Name)),
      }));
    }),
  );
}
