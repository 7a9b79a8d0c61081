/**
 * Metrics in the request's own log line, in CloudWatch's embedded format: the log service takes them out of it, so a request makes no
 * call for them. Dimensions hold names of operations, of providers and of listed models, never text of a caller; each alone, so that
 * their numbers add up and do not multiply. Source: docs.aws.amazon.com AmazonCloudWatch, CloudWatch_Embedded_Metric_Format_Specification.
 */
import { sumOfAmounts, usageOf } from '../core/accounting/ledger.ts';
import type { ErrorKind } from '../core/errors/error-kinds.ts';
import type { MeasuredRequest, MeasureRequest } from '../core/ports/request-metrics.ts';
import { costsOf } from './cost/bill.ts';

interface MetricOptions {
  readonly namespace: string;
  /** The models that are counted by name; all others are one. Without any, models are no dimension. */
  readonly models: ReadonlySet<string>;
}

/** The metrics with their units, for the help of the cost model too. */
export const metricUnits = {
  Requests: 'Count',
  Errors: 'Count',
  Refusals: 'Count',
  Fallbacks: 'Count',
  TimeToFirstToken: 'Milliseconds',
  Duration: 'Milliseconds',
  InputTokens: 'Count',
  OutputTokens: 'Count',
  CachedTokens: 'Count',
  CostUsd: 'None',
} as const;

type RequestMetric = keyof typeof metricUnits;

/** Which metrics there are by what. */
export const metricsBy = {
  Operation: Object.keys(metricUnits) as readonly RequestMetric[],
  Provider: ['Requests', 'Errors', 'TimeToFirstToken', 'CostUsd'],
  Model: ['Requests', 'Errors', 'TimeToFirstToken', 'InputTokens', 'OutputTokens', 'CachedTokens', 'CostUsd'],
} as const satisfies Readonly<Record<string, readonly RequestMetric[]>>;

type Dimension = keyof typeof metricsBy;

/** Models that can be counted by name: each is seven metrics, which cost by the month. */
export const maxMetricModels = 50;

/** Stands for the models that are not counted by name. No model has a name without a slash. */
const otherModels = 'other';

const refusals: ReadonlySet<ErrorKind> = new Set(['rate_limited', 'budget_used_up', 'insufficient_quota']);

export function createMeasureRequest({ namespace, models }: MetricOptions): MeasureRequest {
  return (request) => {
    const values = valuesOf(request);
    const dimensions = dimensionsOf(request, models);
    const directives = (Object.keys(dimensions) as Dimension[]).map((dimension) => ({
      Namespace: namespace,
      Dimensions: [[dimension]],
      Metrics: metricsBy[dimension]
        .filter((name) => values[name] !== undefined)
        .map((name) => ({ Name: name, Unit: metricUnits[name] })),
    }));
    // Last, so that a line without room for it has no reference to a value that is left out.
    return {
      ...dimensions,
      ...values,
      _aws: { Timestamp: Math.round(request.endedAt), CloudWatchMetrics: directives },
    };
  };
}

function dimensionsOf(
  { operation, attempts }: MeasuredRequest,
  models: ReadonlySet<string>,
): Partial<Record<Dimension, string>> {
  const last = attempts.at(-1);
  if (!last) return { Operation: operation };
  const model = models.has(last.model) ? last.model : otherModels;
  return { Operation: operation, Provider: last.provider, ...(models.size > 0 && { Model: model }) };
}

/** What is not known has no value: an unknown cost is not 0. */
function valuesOf({
  isFailed,
  error,
  attempts,
  guard = [],
  streamed,
  firstByteMs,
  totalMs,
}: MeasuredRequest): Partial<Record<RequestMetric, number>> {
  const usage = usageOf({ attempts });
  const costs = [...attempts.map((one) => costsOf(one, one.price).cost), ...guard.map((one) => one.cost)];
  const cost = costs.length > 0 ? sumOfAmounts(costs) : null;
  return {
    Requests: 1,
    Errors: isFailed ? 1 : 0,
    Refusals: error && refusals.has(error) ? 1 : 0,
    Fallbacks: Math.max(0, attempts.length - 1),
    Duration: totalMs,
    ...(streamed && firstByteMs !== undefined && { TimeToFirstToken: firstByteMs }),
    ...(usage && {
      InputTokens: usage.promptTokens,
      OutputTokens: usage.completionTokens,
      CachedTokens: usage.cachedTokens,
    }),
    ...(cost !== null && { CostUsd: cost / 1e9 }),
  };
}
