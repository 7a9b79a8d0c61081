/**
 * What an OTLP/HTTP receiver takes as JSON, strictly: no unknown field, every type and range, ids and times as the protocol has
 * them. Written from open-telemetry/opentelemetry-proto (trace.proto, metrics.proto, common.proto) and opentelemetry.io/docs/specs/otlp.
 */
import * as z from 'zod';

/** `fixed64` and `uint64` are decimal text. */
const unsigned = z
  .string()
  .regex(/^(0|[1-9]\d{0,19})$/)
  .refine((text) => BigInt(text) < 2n ** 64n);
const nanoseconds = unsigned.refine((text) => BigInt(text) > 0n, 'a time');
const signed = z
  .string()
  .regex(/^-?(0|[1-9]\d{0,18})$/)
  .refine((text) => BigInt.asIntN(64, BigInt(text)) === BigInt(text));
const id = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${digits}}$`))
    .refine((text) => !/^0+$/.test(text), 'not all zeros');
const double = z.number().refine(Number.isFinite);

const scalar = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: signed }),
  z.strictObject({ doubleValue: double }),
]);
const anyValue = z.union([
  scalar,
  z.strictObject({ arrayValue: z.strictObject({ values: z.array(scalar) }) }),
]);

/** "Attribute keys MUST be unique", and a key is not empty. */
const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value: anyValue }))
  .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, 'keys that are unique');

const resource = z.strictObject({ attributes, droppedAttributesCount: z.int().min(0).optional() });
const scope = z.strictObject({
  name: z.string(),
  version: z.string().optional(),
  attributes: attributes.optional(),
});

const span = z
  .strictObject({
    traceId: id(32),
    spanId: id(16),
    traceState: z.string().max(512).optional(),
    parentSpanId: id(16).optional(),
    /** The low eight bits are those of W3C, two more say whether the parent is remote. */
    flags: z.int().min(0).max(0x3ff).optional(),
    name: z.string().min(1),
    /** SPAN_KIND_INTERNAL to SPAN_KIND_CONSUMER. */
    kind: z.int().min(1).max(5),
    startTimeUnixNano: nanoseconds,
    endTimeUnixNano: nanoseconds,
    attributes,
    status: z.strictObject({ code: z.int().min(0).max(2).optional(), message: z.string().optional() }),
  })
  .refine(
    ({ startTimeUnixNano: start, endTimeUnixNano: end }) => BigInt(start) <= BigInt(end),
    'an end after its start',
  )
  .refine(({ spanId, parentSpanId }) => spanId !== parentSpanId, 'another parent than itself');

const point = z
  .strictObject({
    attributes,
    startTimeUnixNano: nanoseconds,
    timeUnixNano: nanoseconds,
    count: unsigned,
    sum: double,
    bucketCounts: z.array(unsigned),
    explicitBounds: z.array(double),
    min: double,
    max: double,
  })
  .refine(
    ({ startTimeUnixNano: start, timeUnixNano: end }) => BigInt(start) < BigInt(end),
    'a delta of some time',
  )
  .refine(
    ({ bucketCounts, explicitBounds }) => bucketCounts.length === explicitBounds.length + 1,
    'one bucket more than bounds',
  )
  .refine(
    ({ explicitBounds: bounds }) =>
      bounds.every((bound, at) => at === 0 || bound > (bounds[at - 1] ?? bound)),
    'bounds that rise',
  )
  .refine(
    ({ count, bucketCounts }) => bucketCounts.reduce((sum, one) => sum + BigInt(one), 0n) === BigInt(count),
    'buckets that come to the count',
  )
  .refine(
    ({ min, max, sum, count }) =>
      min <= max && sum >= min * Number(count) - 1e-6 && sum <= max * Number(count) + 1e-6,
    'a sum within its bounds',
  );

const metric = z.strictObject({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_.\-/]{0,254}$/),
  description: z.string(),
  unit: z.string().max(63),
  histogram: z.strictObject({
    /** DELTA or CUMULATIVE. */
    aggregationTemporality: z.int().min(1).max(2),
    dataPoints: z
      .array(point)
      .min(1)
      .refine(
        (points) => new Set(points.map((one) => JSON.stringify(one.attributes))).size === points.length,
        'one point for each set of attributes',
      ),
  }),
});

export const messages = {
  '/v1/traces': z.strictObject({
    resourceSpans: z.array(
      z.strictObject({
        resource,
        scopeSpans: z.array(z.strictObject({ scope, spans: z.array(span).min(1) })),
      }),
    ),
  }),
  '/v1/metrics': z.strictObject({
    resourceMetrics: z.array(
      z.strictObject({
        resource,
        scopeMetrics: z.array(z.strictObject({ scope, metrics: z.array(metric).min(1) })),
      }),
    ),
  }),
} as const;

export type ReceivedSpan = z.infer<typeof span>;
export type ReceivedMetric = z.infer<typeof metric>;
export type ReceivedAttributes = z.infer<typeof attributes>;
