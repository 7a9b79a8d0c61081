/**
 * What is sent, read with the official message definitions: unknown fields and wrong types are errors there. Needs Python with
 * `opentelemetry-proto` (CONTRIBUTING.md, "OpenTelemetry"); PYTHON may name it.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testRecord } from '../harness/ledger.ts';
import { startReceiver } from '../harness/otlp/receiver.ts';
import { createSending, endOf } from './sending.ts';

const python = process.env.PYTHON ?? 'python3';
const hasDefinitions =
  spawnSync(python, ['-c', 'import opentelemetry.proto.trace.v1.trace_pb2']).status === 0;

const failed = testRecord({ status: 503, error: 'upstream_unreachable' });
const records = [
  testRecord({ streamed: true, firstByteMs: 5, finishReasons: ['stop'], session: 'a "session" \u00e9' }),
  testRecord({ operation: 'embeddings', cost: null }),
  testRecord({ operation: 'images-generations' }),
  testRecord({ trace: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', traceState: 'a=1' }),
  { ...failed, attempts: [...failed.attempts, ...failed.attempts] },
];

test.skipIf(!hasDefinitions)(
  'is read by the official definitions (skipped without Python and opentelemetry-proto)',
  async () => {
    const receiver = await startReceiver();
    await createSending({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }).send('shard', endOf(...records));
    await receiver.close();
    const input = receiver.bodies.map(({ path, text }) => `${JSON.stringify({ path, text })}\n`).join('');
    const { stdout, stderr } = spawnSync(python, [join(import.meta.dirname, 'parse_otlp.py')], {
      input,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const read = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(read.flatMap(({ spans }) => spans)).toEqual(
      receiver.spans.map(({ name, kind, traceId, spanId, parentSpanId = '' }) => [
        name,
        kind,
        traceId,
        spanId,
        parentSpanId,
      ]),
    );
    const points = receiver.metrics.reduce((sum, { histogram }) => sum + histogram.dataPoints.length, 0);
    expect(read.reduce((sum, one) => sum + one.points, 0)).toBe(points);
    expect([receiver.spans.length, points > 5]).toEqual([11, true]);
  },
);
