/** Metrics in the log lines of requests, as CloudWatch would take them out, through the whole gateway. */
import { expect, test } from 'vitest';
import { createMeasureRequest, metricsBy } from '../../lib/metering/request-metrics.ts';
import { maxLogLine } from '../../lib/runtime/log-bounds.ts';
import { captureLog } from '../harness/captured-log.ts';
import { type ExtractedMetric, extractMetrics } from '../harness/embedded-metrics.ts';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { testAttempt } from '../harness/ledger.ts';
import { use } from '../harness/use.ts';

const listed = 'openai/gpt-5.4-mini';
const unlisted = 'openai/gpt-5.4-nano';
const unreachable = 'anthropic/claude-haiku-4-5';

/** Members within `_aws`. */
const gateway = use(() =>
  startTestGateway({
    GATEWAY_METRICS: 'Test-Stack',
    GATEWAY_METRIC_MODELS: `${listed},${unreachable}`,
    ANTHROPIC_API_KEY: 'a-provider-key',
    // Nothing listens there.
    ANTHROPIC_UPSTREAM_URL: 'http://127.0.0.1:1',
  }),
);
const log = use(captureLog);

/** The line of the request that is made, when it is over. */
async function lineOf(path: string, body: object, headers: Record<string, string> = {}): Promise<string> {
  const before = log.lines.length;
  const response = await gateway.post(path, body, headers);
  await response.text();
  for (;;) {
    const line = log.lines.slice(before).find((text) => text.includes('"message":"request"'));
    if (line !== undefined) return line;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const messages = [{ role: 'user', content: 'Name a colour.' }];
const chat = '/v1/chat/completions';

/** Values by name, of one dimension. */
const by = (metrics: readonly ExtractedMetric[], dimension: string) =>
  Object.fromEntries(
    metrics.filter(({ dimensions }) => dimension in dimensions).map(({ name, value }) => [name, value]),
  );

const namesOf = (metrics: readonly ExtractedMetric[], dimension: string) => [
  ...new Set(metrics.flatMap(({ dimensions }) => dimensions[dimension] ?? [])),
];

test('a stream has its time to the first token, its tokens and its cost, by operation, provider and model', async () => {
  const line = await lineOf(chat, { model: listed, messages, stream: true });
  expect(Buffer.byteLength(line)).toBeLessThan(maxLogLine);
  const metrics = extractMetrics(line);
  expect(new Set(metrics.map(({ namespace }) => namespace))).toEqual(new Set(['Test-Stack']));
  expect(['Operation', 'Provider', 'Model'].map((name) => namesOf(metrics, name))).toEqual([
    ['chat-completions'],
    ['openai'],
    [listed],
  ]);
  for (const [dimension, names] of Object.entries(metricsBy))
    expect(Object.keys(by(metrics, dimension)).sort(), dimension).toEqual([...names].sort());
  const values = by(metrics, 'Operation');
  expect(values).toMatchObject({ Requests: 1, Errors: 0, Refusals: 0, Fallbacks: 0 });
  for (const name of ['TimeToFirstToken', 'Duration', 'InputTokens', 'OutputTokens', 'CostUsd'])
    expect(values[name], name).toBeGreaterThanOrEqual(
      name === 'TimeToFirstToken' || name === 'Duration' ? 0 : 1e-9,
    );
});

test('a model that is not listed is one of the others, and one body has no first token', async () => {
  const metrics = extractMetrics(await lineOf(chat, { model: unlisted, messages }));
  expect(namesOf(metrics, 'Model')).toEqual(['other']);
  expect(by(metrics, 'Model')).not.toHaveProperty('TimeToFirstToken');
});

test('a request that reached no provider has neither provider nor model, and no cost', async () => {
  const text = 'unknown/Chosen-By-A-Caller';
  const line = await lineOf(chat, { model: text, messages }, { 'x-gateway-user-id': ': a caller' });
  const metrics = extractMetrics(line);
  expect(namesOf(metrics, 'Provider')).toEqual([]);
  expect(by(metrics, 'Operation')).toEqual({
    Requests: 1,
    Errors: 0,
    Refusals: 0,
    Fallbacks: 0,
    Duration: expect.any(Number),
  });
  expect(line).not.toContain(text);
});

test('a provider that cannot be reached is an error of it, after another attempt', async () => {
  const metrics = extractMetrics(await lineOf(chat, { model: unreachable, messages }));
  expect(by(metrics, 'Provider')).toMatchObject({ Requests: 1, Errors: 1 });
  expect(by(metrics, 'Operation').Fallbacks).toBeGreaterThan(0);
});

test('an unknown cost is absent, that of detectors counts, and a limit that refuses is counted', () => {
  const measure = createMeasureRequest({ namespace: 'Test', models: new Set() });
  const request = {
    operation: 'chat-completions',
    endedAt: Date.now(),
    isFailed: false,
    streamed: false,
    firstByteMs: undefined,
    totalMs: 5,
  } as const;
  const unknown = measure({ ...request, error: undefined, attempts: [testAttempt({ uncounted: 1 })] });
  expect(unknown).not.toHaveProperty('CostUsd');
  expect(unknown).not.toHaveProperty('Model');
  expect(extractMetrics(JSON.stringify(unknown)).length).toBeGreaterThan(0);
  const guard = [
    { policy: 'a', version: 1, rule: 'b', phase: 'input', action: 'block', ms: 1, units: 1, cost: 2_000_000 },
  ] as const;
  expect(measure({ ...request, error: undefined, attempts: [], guard })).toMatchObject({ CostUsd: 0.002 });
  for (const error of ['rate_limited', 'budget_used_up', 'insufficient_quota'] as const)
    expect(measure({ ...request, error, attempts: [] })).toMatchObject({ Refusals: 1, Errors: 0 });
});

test.each([
  ['no time', (line: Record<string, unknown>) => ({ ...line, _aws: { CloudWatchMetrics: [] } })],
  ['a value that is missing', ({ Requests: _, ...line }: Record<string, unknown>) => line],
  ['a dimension that is a number', (line: Record<string, unknown>) => ({ ...line, Operation: 7 })],
  ['an empty dimension', (line: Record<string, unknown>) => ({ ...line, Operation: '' })],
])('the check refuses a line with %s', (_, spoil) => {
  const measure = createMeasureRequest({ namespace: 'Test', models: new Set() });
  const error = undefined;
  const line = measure({
    operation: 'messages',
    endedAt: Date.now(),
    isFailed: false,
    error,
    attempts: [],
    streamed: false,
    firstByteMs: 1,
    totalMs: 2,
  });
  expect(extractMetrics(JSON.stringify(line))).toHaveLength(5);
  expect(() => extractMetrics(JSON.stringify(spoil({ ...line })))).toThrow();
});
