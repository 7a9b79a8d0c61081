/**
 * The histograms of the conventions for generative AI, of the attempts of some records. Each batch of records is a delta of its own, so
 * that a sender needs no memory. Source of names and buckets: open-telemetry/semantic-conventions-genai, docs/gen-ai/gen-ai-metrics.md.
 */
import type { LedgerRecord } from '../core/accounting/ledger.ts';
import { type Attempted, operationOf, providerOf, timeToFirstChunk } from './attributes.ts';
import { delta, type HistogramPoint, type KeyValue, keyValue, type Metric, nanoseconds } from './otlp.ts';

/** What one attempt adds to a histogram. */
interface Measurement {
  readonly value: number;
  readonly attributes: readonly KeyValue[];
}

interface MetricRow {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  /** The upper bounds of all buckets but the last. */
  readonly bounds: readonly number[];
  readonly of: (attempted: Attempted) => readonly Measurement[];
}

const seconds = Array.from({ length: 14 }, (_, power) => 2 ** power / 100);
const tokens = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** Models, providers and operations are the operator's: none of these attributes has words of a caller. */
const attributesOf = ({ record, attempt }: Attempted): readonly KeyValue[] => [
  ...keyValue('gen_ai.operation.name', 'string', operationOf(record.operation)),
  ...keyValue('gen_ai.provider.name', 'string', providerOf(attempt.provider)),
  ...keyValue('gen_ai.request.model', 'string', attempt.model),
];

export const metricRows: readonly MetricRow[] = [
  {
    name: 'gen_ai.client.operation.duration',
    unit: 's',
    description: 'How long calls of providers take.',
    bounds: seconds,
    of(attempted) {
      const { at, endedAt = at, error } = attempted.attempt;
      const attributes = [...attributesOf(attempted), ...keyValue('error.type', 'string', error)];
      return [{ value: Math.max(0, endedAt - at) / 1000, attributes }];
    },
  },
  {
    name: 'gen_ai.client.token.usage',
    unit: '{token}',
    description: 'Tokens that calls of providers use.',
    bounds: tokens,
    of(attempted) {
      const { usage, estimated } = attempted.attempt;
      // What is estimated must not be reported.
      if (!usage || estimated) return [];
      const ofType = (type: string, value: number) => ({
        value,
        attributes: [...attributesOf(attempted), ...keyValue('gen_ai.token.type', 'string', type)],
      });
      return [ofType('input', usage.promptTokens), ofType('output', usage.completionTokens)];
    },
  },
  {
    name: 'gen_ai.client.operation.time_to_first_chunk',
    unit: 's',
    description: 'How long calls of providers take to the first piece of a stream.',
    bounds: seconds,
    of(attempted) {
      const value = timeToFirstChunk(attempted);
      return value === undefined ? [] : [{ value, attributes: attributesOf(attempted) }];
    },
  },
];

/** Combinations of attributes of one metric in one batch. What is more is counted together. */
export const maxSeries = 200;

/** Source: opentelemetry.io/docs/specs/otel/metrics/sdk, "Cardinality limits". */
const overflow = keyValue('otel.metric.overflow', 'boolean', true);

/** Unix milliseconds. */
interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Metrics without a measurement are left out. */
export function metricsOf(records: readonly LedgerRecord[], interval: Interval): readonly Metric[] {
  const attempts = records.flatMap((record) =>
    record.attempts.map((attempt, index) => ({ record, attempt, number: index + 1 })),
  );
  return metricRows.flatMap(({ name, unit, description, bounds, of }) => {
    const series = seriesOf(attempts.flatMap(of));
    const dataPoints = series.map((measurements) => pointOf(measurements, bounds, interval));
    const histogram = { aggregationTemporality: delta, dataPoints };
    return dataPoints.length > 0 ? [{ name, unit, description, histogram }] : [];
  });
}

function seriesOf(
  measurements: readonly Measurement[],
): readonly (readonly [Measurement, ...Measurement[]])[] {
  const series = new Map<string, [Measurement, ...Measurement[]]>();
  for (const measurement of measurements) {
    const own = JSON.stringify(measurement.attributes);
    const isOver = !series.has(own) && series.size >= maxSeries - 1;
    const counted = isOver ? { ...measurement, attributes: overflow } : measurement;
    const name = isOver ? 'overflow' : own;
    const known = series.get(name);
    if (known) known.push(counted);
    else series.set(name, [counted]);
  }
  return [...series.values()];
}

function pointOf(
  measurements: readonly [Measurement, ...Measurement[]],
  bounds: readonly number[],
  { from, to }: Interval,
): HistogramPoint {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0);
  for (const { value } of measurements) {
    // A bound belongs to the bucket below it.
    const bucket = bounds.findIndex((bound) => value <= bound);
    const index = bucket < 0 ? bounds.length : bucket;
    counts[index] = (counts[index] ?? 0) + 1;
  }
  const values = measurements.map(({ value }) => value);
  return {
    attributes: measurements[0].attributes,
    startTimeUnixNano: nanoseconds(from),
    timeUnixNano: nanoseconds(to),
    count: String(values.length),
    sum: values.reduce((sum, value) => sum + value, 0),
    bucketCounts: counts.map(String),
    explicitBounds: bounds,
    min: values.reduce((least, value) => Math.min(least, value)),
    max: values.reduce((most, value) => Math.max(most, value)),
  };
}
