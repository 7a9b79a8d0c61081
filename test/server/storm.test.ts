/** Clients that leave, lie and stop in the middle, at random: whatever they do, the process gives back what their requests had. */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportMs } from '../../server/process/messages.ts';
import { freePort } from '../harness/free-port.ts';
import { type ServedProcess, servedModel, startServedProcess } from '../harness/gateways/served-process.ts';
import { readMetrics } from './read-metrics.ts';

const requests = 200;
const atOnce = 20;

let served: ServedProcess;
let metricsUrl = '';

beforeAll(async () => {
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  served = await startServedProcess({
    environment: { GATEWAY_MEMORY_MB: '300', GATEWAY_METRICS_PORT: `${port}` },
  });
  // A stream that is cut after half a second.
  served.upstream.script(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let index = 0; index < 20 && !response.destroyed; index++) {
      response.write('data: {"choices":[{"index":0,"delta":{"content":"word "}}]}\n\n');
      await pause(25);
    }
    response.destroy();
  });
});
afterAll(() => served?.close());

const attack = fc.record({
  method: fc.constantFrom('POST', 'POST', 'POST', 'HEAD', 'OPTIONS', 'GET'),
  path: fc.constantFrom('/v1/chat/completions', '/v1/messages', '/v1/none', '/readyz', '/v1/openapi.json'),
  hasKey: fc.boolean(),
  isStream: fc.boolean(),
  length: fc.constantFrom(10, 1_000, 100_000, 2_000_000),
  lacking: fc.constantFrom(0, 0, 100, 20_000_000),
  isCompressed: fc.boolean(),
  frame: fc.constantFrom('length', 'length', 'chunked', 'broken'),
  times: fc.constantFrom(1, 1, 3, 20),
  sent: fc.constantFrom(1, 1, 0.9, 0.5, 0.01),
  reads: fc.boolean(),
  leave: fc.constantFrom('destroy', 'resetAndDestroy', 'end'),
  afterMs: fc.integer({ min: 0, max: 500 }),
});

type Attack = typeof attack extends fc.Arbitrary<infer Value> ? Value : never;

function bytesOf(one: Attack): Buffer {
  const messages = [{ role: 'user', content: 'x'.repeat(one.length) }];
  const text = JSON.stringify({ model: servedModel, max_tokens: 9, stream: one.isStream, messages });
  const body = one.isCompressed ? gzipSync(text) : Buffer.from(text);
  const head = [
    `${one.method} ${one.path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${one.hasKey ? served.apiKey : 'sk-none'}`,
    'content-type: application/json',
    ...(one.isCompressed ? ['content-encoding: gzip'] : []),
    one.frame === 'length' ? `content-length: ${body.length + one.lacking}` : 'transfer-encoding: chunked',
  ].join('\r\n');
  const last = one.frame === 'broken' ? '\r\nzz\r\n' : '\r\n0\r\n\r\n';
  const framed = [`${body.length.toString(16)}\r\n`, body, last];
  const parts = [`${head}\r\n\r\n`, ...(one.frame === 'length' ? [body] : framed)];
  const whole = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat(Array.from({ length: one.length > 100_000 ? 1 : one.times }, () => whole));
}

async function run(one: Attack): Promise<void> {
  const bytes = bytesOf(one);
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1').on('error', () => {});
  if (one.reads) socket.resume();
  socket.write(bytes.subarray(0, Math.ceil(bytes.length * one.sent)));
  await pause(one.afterMs);
  socket[one.leave]();
  if (one.leave !== 'end') return;
  await pause(100);
  socket.destroy();
}

test('after clients that left at every point, nothing runs and nothing is in use', {
  timeout: 60_000,
}, async () => {
  const attacks = fc.sample(attack, { numRuns: requests });
  const inTurn = async () => {
    for (let one = attacks.pop(); one; one = attacks.pop()) await run(one);
  };
  await Promise.all(Array.from({ length: atOnce }, inTurn));
  // The worker's next report is of a time after the last request.
  await pause(reportMs);
  const used = async () => {
    const found = readMetrics(await (await fetch(metricsUrl)).text());
    const names = ['running_requests', 'memory_budget_used_bytes'];
    return names.map((name) => found.get(`gateway_${name}{worker="1"}`));
  };
  await expect.poll(used, { timeout: 30_000, interval: 500 }).toEqual([0, 0]);
  expect(readMetrics(await (await fetch(metricsUrl)).text()).get('gateway_started_workers_total')).toBe(1);
  expect((await fetch(`${served.url}/readyz`)).status).toBe(200);
});
