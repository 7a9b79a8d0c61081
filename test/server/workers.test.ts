import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { readChatStream } from '../harness/chat-stream.ts';
import { freePort } from '../harness/free-port.ts';
import { type ServerProcess, startServedGateway } from '../harness/gateways/served-gateway.ts';
import { answerJson } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';
import { type PacedAnswer, paceAnswer, type ReadAnswer, readAnswer } from './paced-answer.ts';
import { readMetrics } from './read-metrics.ts';

let server: ServerProcess;
let metricsUrl = '';
const answer: PacedAnswer = paceAnswer();

const gateway = use(() => startServedGateway());
beforeAll(async () => {
  gateway.upstream.script(answer.script);
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  server = await gateway.serve({ GATEWAY_WORKERS: '2', GATEWAY_METRICS_PORT: `${port}` });
});

const metrics = async () => readMetrics(await (await fetch(metricsUrl)).text());

/** Until the workers have reported them. */
async function metricsWith(isThere: (found: ReadonlyMap<string, number>) => boolean) {
  for (;;) {
    const found = await metrics();
    if (isThere(found)) return found;
    await pause(200);
  }
}

const sumOf = (found: ReadonlyMap<string, number>, name: string) =>
  [...found].filter(([key]) => key.startsWith(`${name}{`)).reduce((sum, [, value]) => sum + value, 0);

const runningOf = (found: ReadonlyMap<string, number>, worker: unknown) =>
  found.get(`gateway_running_requests{worker="${worker}"}`) ?? 0;

test('both serve the port, and one that is killed is replaced while the streams of the other go on', async () => {
  const [victim, other] = server.lines.filter(({ message }) => message === 'worker ready');
  const streams: ReadAnswer[] = [];
  // Which worker gets a connection is not certain.
  let before: ReadonlyMap<string, number>;
  do {
    streams.push(readAnswer(await gateway.chat(server.url)), readAnswer(await gateway.chat(server.url)));
    before = await metricsWith((found) => sumOf(found, 'gateway_running_requests') === streams.length);
  } while (!runningOf(before, victim?.worker) || !runningOf(before, other?.worker));
  await Promise.all(streams.map((stream) => stream.has(200)));
  process.kill(Number(victim?.pid), 'SIGKILL');
  const ended = await server.line('worker ended');
  expect(ended).toMatchObject({ level: 'ERROR', worker: victim?.worker, signal: 'SIGKILL' });
  await server.line('worker ready', ({ worker }) => Number(worker) > 2);
  const after = await metricsWith(
    (found) => found.get('gateway_ready_workers') === 2 && !runningOf(found, victim?.worker),
  );
  expect(after.get('gateway_started_workers_total')).toBe(3);
  answer.finish();
  const read = await Promise.allSettled(streams.map((stream) => stream.whole));
  const whole = read.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  expect(whole).toHaveLength(runningOf(before, other?.worker));
  for (const text of whole) expect(readChatStream(text).error).toBeUndefined();
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test('metrics can be read by Prometheus, and are on no other port', async () => {
  await (await fetch(`${server.url}/v1/chat/completion`)).text();
  await (await fetch(`${server.url}/v1/usage`, { headers: { authorization: 'Bearer no' } })).text();
  gateway.upstream.script(answerJson({ error: { message: 'No.' } }, 401));
  await (await gateway.chat(server.url)).text();
  await metricsWith(
    (found) =>
      sumOf(found, 'gateway_provider_failures_total') > 0 && sumOf(found, 'gateway_refusals_total') > 1,
  );
  const response = await fetch(metricsUrl);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const found = readMetrics(await response.text());
  const names = new Set([...found.keys()].map((key) => key.replace(/\{.*/, '')));
  expect([...names].sort()).toEqual([
    'gateway_connections',
    'gateway_event_loop_delay_seconds',
    'gateway_heap_used_bytes',
    'gateway_memory_budget_bytes',
    'gateway_memory_budget_used_bytes',
    'gateway_provider_calls_total',
    'gateway_provider_failures_total',
    'gateway_ready_workers',
    'gateway_refusals_total',
    'gateway_refused_requests_total',
    'gateway_requests_total',
    'gateway_resident_memory_bytes',
    'gateway_responses_total',
    'gateway_running_requests',
    'gateway_started_workers_total',
  ]);
  const count = (name: string, labels: string) =>
    [...found]
      .filter(([key]) => key.startsWith(name) && key.includes(labels))
      .reduce((sum, [, value]) => sum + value, 0);
  expect(count('gateway_responses_total', 'operation="none",status="404"')).toBe(1);
  expect(count('gateway_responses_total', 'operation="usage-retrieve",status="401"')).toBe(1);
  expect(count('gateway_responses_total', 'operation="chat-completions",status="500"')).toBe(1);
  expect(count('gateway_refusals_total', 'reason="unknown_route"')).toBe(1);
  expect(count('gateway_refusals_total', 'reason="invalid_api_key"')).toBe(1);
  expect(count('gateway_provider_failures_total', 'provider="moonshot"')).toBeGreaterThan(0);
  expect(sumOf(found, 'gateway_provider_calls_total')).toBeGreaterThan(0);
  expect(sumOf(found, 'gateway_requests_total')).toBeGreaterThan(0);
  expect(sumOf(found, 'gateway_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  expect((await fetch(metricsUrl.replace('/metrics', '/other'))).status).toBe(404);
});

test('a worker that is asked to stop by itself is replaced, and ends without a failure', async () => {
  const known = server.lines.filter(({ message }) => message === 'worker ready');
  const asked = known.at(-1);
  process.kill(Number(asked?.pid), 'SIGTERM');
  await server.line('worker ready', ({ worker }) => Number(worker) > Number(asked?.worker));
  server.signal('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(server.lines.filter(({ message }) => message === 'worker ended')).toHaveLength(1);
});
