/** The variables of OpenTelemetry: where spans and metrics go, and what a wrong one does. */
import { beforeEach, expect, test } from 'vitest';
import { testRecord } from '../harness/ledger.ts';
import { startReceiver } from '../harness/otlp/receiver.ts';
import { use } from '../harness/use.ts';
import { createSending, endOf } from './sending.ts';

const receiver = use(startReceiver);

beforeEach(() => receiver.clear());

const sendOne = async (variables: Record<string, string>) => {
  const { send, lines } = createSending(variables);
  await send('shard', endOf(testRecord()));
  return lines;
};

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:secret@collector' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  [{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'secret' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=secret%0A' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
  [{ OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd' }, 'OTEL_EXPORTER_OTLP_COMPRESSION'],
  [{ OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: '1s' }, 'OTEL_EXPORTER_OTLP_METRICS_TIMEOUT'],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'secret' }, 'OTEL_RESOURCE_ATTRIBUTES'],
])('%o: nothing is sent, and the log names the variable', async (variables, name) => {
  const lines = await sendOne({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...variables });
  expect(lines).toEqual([
    { level: 'error', message: 'telemetry off', reason: expect.stringContaining(name) },
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
  expect(receiver.requests()).toBe(0);
});

test.each([
  [{ OTEL_TRACES_EXPORTER: 'none' }, ['/v1/metrics']],
  [{ OTEL_METRICS_EXPORTER: 'none' }, ['/v1/traces']],
  [{ OTEL_SDK_DISABLED: 'true' }, []],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, []],
])('%o: sent are %o', async (variables, paths) => {
  expect(await sendOne({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...variables })).toEqual([]);
  expect(receiver.bodies.map(({ path }) => path)).toEqual(paths);
});

test('an endpoint of one signal is used as it is, before that of both', async () => {
  const nowhere = 'http://127.0.0.1:1';
  await sendOne({
    OTEL_EXPORTER_OTLP_ENDPOINT: nowhere,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/v1/traces`,
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${receiver.url}/v1/metrics`,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-own=1',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-own=2',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'none',
  });
  expect(receiver.problems).toEqual([]);
  const seen = receiver.bodies.map(({ path, headers }) => [
    path,
    headers['x-own'],
    headers['content-encoding'],
  ]);
  expect(seen.sort()).toEqual([
    ['/v1/metrics', '2', undefined],
    ['/v1/traces', '1', undefined],
  ]);
});
