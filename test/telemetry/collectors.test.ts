/** Collectors that fail, refuse, are slow or not there: what is sent again, what is dropped, and what an operator reads. */
import { beforeEach, describe, expect, test } from 'vitest';
import { longestRestMs } from '../../lib/telemetry/export.ts';
import { maxSeries } from '../../lib/telemetry/metrics.ts';
import { maxSpans } from '../../lib/telemetry/telemetry.ts';
import { freePort } from '../harness/free-port.ts';
import { testRecord } from '../harness/ledger.ts';
import { type CollectorScript, startReceiver } from '../harness/otlp/receiver.ts';
import { use } from '../harness/use.ts';
import { createSending, endOf } from './sending.ts';

const receiver = use(startReceiver);

beforeEach(() => {
  receiver.script();
  receiver.clear();
});

const toReceiver = (more: Record<string, string> = {}) =>
  createSending({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...more });
const onlySpans = { OTEL_METRICS_EXPORTER: 'none' };
const onlyMetrics = { OTEL_TRACES_EXPORTER: 'none' };
const refuse = (status: number, headers: Record<string, string> = {}) =>
  receiver.script((response) => {
    response.writeHead(status, headers).end('a text that is not for the log');
    return 'answered';
  });

test.each([429, 502, 503, 504])('what is refused with %i once is sent again', async (status) => {
  let isFirst = true;
  receiver.script((response) => {
    if (!isFirst) return undefined;
    isFirst = false;
    response.writeHead(status, { 'retry-after': '0' }).end();
    return 'answered';
  });
  const { send, lines } = toReceiver(onlySpans);
  await send('shard', endOf(testRecord()));
  expect([receiver.spans.length, receiver.requests(), lines]).toEqual([2, 2, []]);
});

test.each([400, 401, 413, 500])(
  'what is refused with %i is dropped, and counted in the log',
  async (status) => {
    refuse(status);
    const { send, lines } = toReceiver(onlySpans);
    await send('shard', endOf(testRecord(), testRecord()));
    expect(receiver.requests()).toBe(1);
    expect(lines).toEqual([
      { level: 'warn', message: 'telemetry dropped', signal: 'traces', count: 4, reason: 'refused', status },
    ]);
  },
);

test('a collector that asks for more time than there is gets nothing more', async () => {
  refuse(503, { 'retry-after': '60' });
  const { send, lines } = toReceiver(onlySpans);
  await send('shard', endOf(testRecord()));
  expect([receiver.requests(), lines.length]).toEqual([1, 1]);
});

test('a collector that fails is left alone for a while, and longer each time', async () => {
  refuse(500);
  const { send, lines, advance } = toReceiver(onlySpans);
  const tried: number[] = [];
  for (const ms of [0, 29_000, 2_000, 31_000, 30_000]) {
    advance(ms);
    await send('shard', endOf(testRecord()));
    tried.push(receiver.requests());
  }
  expect(tried).toEqual([1, 1, 2, 2, 3]);
  expect(lines.map(({ reason }) => reason)).toEqual(['refused', 'resting', 'refused', 'resting', 'refused']);
  advance(longestRestMs);
  receiver.script();
  await send('shard', endOf(testRecord()));
  expect(receiver.spans).toHaveLength(2);
});

test('a body that is refused for what is in it does not stop the next ones', async () => {
  refuse(400);
  const { send } = toReceiver(onlySpans);
  await send('shard', endOf(testRecord()));
  receiver.script();
  await send('shard', endOf(testRecord()));
  expect(receiver.spans).toHaveLength(2);
});

test('what a collector takes only in part is counted, without its words', async () => {
  receiver.script((response, path) => {
    const partialSuccess =
      path === '/v1/traces'
        ? { rejectedSpans: '1', errorMessage: 'a text that is not for the log' }
        : { rejectedDataPoints: 2 };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ partialSuccess }));
    return 'answered';
  });
  const { send, lines } = toReceiver();
  await send('shard', endOf(testRecord()));
  expect(lines.map(({ signal, count, reason }) => [signal, count, reason]).sort()).toEqual([
    ['metrics', 2, 'refused in part'],
    ['traces', 1, 'refused in part'],
  ]);
  expect(JSON.stringify(lines)).not.toContain('not for the log');
});

test('nothing listens there: it is dropped, and nothing rejects', async () => {
  const { send, lines } = createSending({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
  });
  await send('shard', endOf(testRecord()));
  expect(lines.map(({ message, signal, reason }) => [message, signal, reason]).sort()).toEqual([
    ['telemetry dropped', 'metrics', 'upstream_unreachable'],
    ['telemetry dropped', 'traces', 'upstream_unreachable'],
  ]);
});

test('a collector that never answers is waited for as long as is set, and then left alone', async () => {
  receiver.script(() => 'answered');
  const { send, lines } = toReceiver({ ...onlySpans, OTEL_EXPORTER_OTLP_TIMEOUT: '50' });
  await send('shard', endOf(testRecord()));
  expect(lines).toMatchObject([{ message: 'telemetry dropped', reason: 'upstream_timeout', count: 2 }]);
  await send('shard', endOf(testRecord()));
  expect(lines[1]).toMatchObject({ reason: 'resting', count: 2 });
});

test.each<readonly [string, CollectorScript]>([
  [
    'too large',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(1024 * 1024));
      return 'answered';
    },
  ],
  [
    'cut',
    (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 50);
      return 'answered';
    },
  ],
  ['late', () => 'answered'],
])(
  'a body that a collector may have taken is not sent again, because it would count twice: %s',
  async (_, script) => {
    receiver.script(script);
    const { send, lines } = toReceiver({ ...onlyMetrics, OTEL_EXPORTER_OTLP_TIMEOUT: '300' });
    await send('shard', endOf(testRecord()));
    expect([receiver.requests(), lines.length]).toEqual([1, 1]);
  },
);

describe('a batch', () => {
  test('that comes again has the same spans, and is not counted twice', async () => {
    const changes = endOf(testRecord());
    await toReceiver().send('shard', changes);
    const ids = receiver.spans.map(({ spanId }) => spanId);
    receiver.clear();
    const { send } = toReceiver();
    await send('shard', changes);
    expect(receiver.spans.map(({ spanId }) => spanId)).toEqual(ids);
    receiver.clear();
    await send('shard', changes);
    expect(receiver.requests()).toBe(0);
    await send('another shard', changes);
    expect(receiver.requests()).toBe(2);
  });

  test('has spans for what it ends: not for what begins, changes its cost, or expires', async () => {
    const record = testRecord();
    const done = { state: 'done', record } as const;
    const open = { state: 'open', record } as const;
    const at = { at: Date.now() };
    const { send } = toReceiver();
    await send('shard', [
      { sequence: '1', ...at, after: open },
      { sequence: '2', ...at, before: open, after: done },
      { sequence: '3', ...at, before: done, after: done },
      { sequence: '4', ...at, before: done },
    ]);
    expect([receiver.problems, receiver.spans.length]).toEqual([[], 2]);
  });

  test('of many requests goes in several bodies, and its metrics are added up', async () => {
    const records = Array.from({ length: 600 }, () => testRecord());
    const { send, lines } = toReceiver();
    await send('shard', endOf(...records));
    const sizes = receiver.bodies.map(({ path, text }) => [path, text.split('"spanId"').length - 1] as const);
    expect([receiver.problems, lines, receiver.spans.length]).toEqual([[], [], 1_200]);
    expect(sizes.filter(([path]) => path === '/v1/traces').map(([, count]) => count)).toEqual([
      maxSpans,
      maxSpans,
      200,
    ]);
    const [duration] = receiver.metrics;
    expect(duration?.histogram.dataPoints.map(({ count }) => count)).toEqual(['600']);
  });

  test('of many models has a bounded number of series; the rest is counted together', async () => {
    const records = Array.from({ length: maxSeries + 50 }, (_, index) =>
      testRecord({ model: `acme/${index}` }),
    );
    await toReceiver().send('shard', endOf(...records));
    expect(receiver.problems).toEqual([]);
    for (const { histogram } of receiver.metrics) {
      expect(histogram.dataPoints).toHaveLength(maxSeries);
      expect(histogram.dataPoints.at(-1)?.attributes).toEqual([
        { key: 'otel.metric.overflow', value: { boolValue: true } },
      ]);
    }
  });
});

test('an answer that comes byte by byte does not keep a batch for longer than it may take', async () => {
  receiver.script((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(drip));
    return 'answered';
  });
  const { send, lines } = toReceiver(onlySpans);
  await send('shard', endOf(testRecord()));
  expect(lines).toMatchObject([{ reason: 'too slow', count: 2 }]);
});
