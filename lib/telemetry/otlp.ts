/**
 * The JSON of the OpenTelemetry protocol: ids in hexadecimal digits, whole numbers of 64 bits as text, enumerations as numbers.
 * Source: opentelemetry.io/docs/specs/otlp, "JSON Protobuf Encoding"; open-telemetry/opentelemetry-proto, trace.proto, metrics.proto.
 */

export type AttributeType = 'string' | 'strings' | 'boolean' | 'int' | 'double';

/** Undefined: the attribute is left out. */
export type AttributeSource = string | number | boolean | readonly string[] | undefined;

export interface KeyValue {
  readonly key: string;
  readonly value: object;
}

const encodings: Readonly<Record<AttributeType, (value: NonNullable<AttributeSource>) => object>> = {
  string: (stringValue) => ({ stringValue }),
  strings: (values) => ({
    arrayValue: { values: [values].flat().map((stringValue) => ({ stringValue })) },
  }),
  boolean: (boolValue) => ({ boolValue }),
  int: (value) => ({ intValue: String(value) }),
  double: (doubleValue) => ({ doubleValue }),
};

/** Empty without a value. */
export const keyValue = (key: string, type: AttributeType, value: AttributeSource): readonly KeyValue[] =>
  value === undefined ? [] : [{ key, value: encodings[type](value) }];

/** Nanoseconds as text. `at`: Unix milliseconds. */
export const nanoseconds = (at: number): string => `${Math.round(at)}000000`;

/** `Span.SpanKind` and `Status.StatusCode`. */
export const spanKinds = { server: 2, client: 3 } as const;
export const failedStatus = 2;

/** `AggregationTemporality`. */
export const delta = 1;

/** A span as it is sent. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState?: string;
  readonly parentSpanId?: string;
  readonly flags: number;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly status: { readonly code?: number };
}

export interface HistogramPoint {
  readonly attributes: readonly KeyValue[];
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
  readonly count: string;
  readonly sum: number;
  readonly bucketCounts: readonly string[];
  readonly explicitBounds: readonly number[];
  readonly min: number;
  readonly max: number;
}

export interface Metric {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly histogram: {
    readonly aggregationTemporality: number;
    readonly dataPoints: readonly HistogramPoint[];
  };
}

/** Who sends. */
export interface Sender {
  /** The attributes of the resource. */
  readonly resource: Readonly<Record<string, string>>;
}

const scope = { name: 'model-gateway' };

const resourceOf = ({ resource }: Sender) => ({
  attributes: Object.entries(resource).flatMap(([name, value]) => keyValue(name, 'string', value)),
});

/** The body of a request with spans, each as JSON text. */
export function traceBody(sender: Sender, spans: readonly string[]): string {
  const resource = JSON.stringify(resourceOf(sender));
  return `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[${spans.join(',')}]}]}]}`;
}

export const metricsBody = (sender: Sender, metrics: readonly Metric[]): string =>
  JSON.stringify({ resourceMetrics: [{ resource: resourceOf(sender), scopeMetrics: [{ scope, metrics }] }] });
