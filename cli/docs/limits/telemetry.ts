/** Bounds of traces, and of the spans and metrics that are sent. */
import { maxTraceState, maxTraceStateEntries } from '../../../lib/core/trace-context.ts';
import { maxFinishReasons } from '../../../lib/http/request-log.ts';
import {
  firstRestMs,
  longestRestMs,
  maxAttempts,
  maxCollectorAnswer,
} from '../../../lib/telemetry/export.ts';
import { maxSeries } from '../../../lib/telemetry/metrics.ts';
import { defaultTimeoutMs } from '../../../lib/telemetry/settings.ts';
import { maxSendMs, maxSpans, maxTraceBytes } from '../../../lib/telemetry/telemetry.ts';
import type { LimitArea } from './row.ts';

export const telemetryLimits: LimitArea = {
  title: 'Spans and metrics',
  rows: [
    {
      what: 'Header `tracestate`',
      limit: { maxTraceState },
      file: 'lib/core/trace-context.ts',
      unit: 'characters',
      onExceed: 'left out; the trace goes on without it',
    },
    {
      what: 'Entries of `tracestate`',
      limit: { maxTraceStateEntries },
      file: 'lib/core/trace-context.ts',
      unit: 'count',
      onExceed: 'left out; the trace goes on without them',
    },
    {
      what: 'Finish reasons of a request in its span',
      limit: { maxFinishReasons },
      file: 'lib/http/request-log.ts',
      unit: 'count',
      onExceed: 'the rest is left out',
    },
    {
      what: 'Spans of one request to a collector',
      limit: { maxSpans },
      file: 'lib/telemetry/telemetry.ts',
      unit: 'count',
      onExceed: 'another request',
    },
    {
      what: 'Spans of one request to a collector, before they are compressed',
      limit: { maxTraceBytes },
      file: 'lib/telemetry/telemetry.ts',
      unit: 'bytes',
      onExceed: 'another request',
    },
    {
      what: 'Combinations of attributes of a metric in one batch of records',
      limit: { maxSeries },
      file: 'lib/telemetry/metrics.ts',
      unit: 'count',
      onExceed: 'counted together, as `otel.metric.overflow`',
    },
    {
      what: 'Time for one request to a collector, without `OTEL_EXPORTER_OTLP_TIMEOUT`',
      limit: { defaultTimeoutMs },
      file: 'lib/telemetry/settings.ts',
      unit: 'ms',
      onExceed: 'tried again',
    },
    {
      what: 'Attempts to send spans or metrics',
      limit: { maxAttempts },
      file: 'lib/telemetry/export.ts',
      unit: 'count',
      onExceed: 'dropped, with a log line `telemetry dropped`',
    },
    {
      what: 'Time for the spans and metrics of one batch of records',
      limit: { maxSendMs },
      file: 'lib/telemetry/telemetry.ts',
      unit: 'ms',
      onExceed: 'the rest is dropped, with a log line `telemetry dropped`',
    },
    {
      what: 'Time without an attempt after a collector has failed',
      limit: { firstRestMs },
      file: 'lib/telemetry/export.ts',
      unit: 'ms',
      onExceed: 'tried again; it doubles with each failure',
    },
    {
      what: 'The longest of these times',
      limit: { longestRestMs },
      file: 'lib/telemetry/export.ts',
      unit: 'ms',
      onExceed: 'tried again',
    },
    {
      what: 'Answer of a collector',
      limit: { maxCollectorAnswer },
      file: 'lib/telemetry/export.ts',
      unit: 'bytes',
      onExceed: 'counts as a failure',
    },
  ],
};
