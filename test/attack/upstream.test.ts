/** Providers whose answers never end, come a byte at a time, or grow: each call ends, in little memory, and is reported as failed. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { postJson } from '../harness/post.ts';
import { startStopwatch } from '../harness/stopwatch.ts';
import { useAttackedGateway } from './attacked-gateway.ts';
import { endless, head } from './hostile-upstream.ts';
import { megabyte, peakOf, readBy } from './memory.ts';

const { upstream, gateway } = useAttackedGateway('OPENAI', {
  GATEWAY_FIRST_BYTE_TIMEOUT_MS: '2000',
  GATEWAY_SILENCE_TIMEOUT_MS: '2000',
});

const ask = (more: object = {}) =>
  postJson(`${gateway.baseUrl}/chat/completions`, gateway.apiKey, {
    model: 'openai/gpt-4.1-mini',
    messages: [{ role: 'user', content: 'Hello.' }],
    ...more,
  });

const sse = 'text/event-stream';
const block = 'x'.repeat(64 * 1024);
const delta = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

const packed = gzipSync(Buffer.alloc(200 * megabyte, 'x'));

interface Attack {
  readonly name: string;
  readonly answer: () => Iterable<string | Uint8Array | number>;
  readonly stream?: boolean;
  readonly status: number;
  readonly code: string | null;
  /** The most that the gateway reads, in megabytes. */
  readonly reads?: number;
}

const attacks: readonly Attack[] = [
  {
    name: 'a line of a stream without end',
    answer: () => endless([head(sse), 'data: '], block),
    stream: true,
    status: 500,
    code: 'provider_invalid_answer',
    reads: 24,
  },
  {
    name: 'an event without end',
    answer: () => endless([head(sse)], `data: ${block}\n`),
    stream: true,
    status: 500,
    code: 'provider_invalid_answer',
    reads: 24,
  },
  {
    name: 'a body without end',
    answer: () => endless([head('application/json'), '{"id":"'], block),
    status: 500,
    code: 'provider_invalid_answer',
    reads: 72,
  },
  {
    name: 'texts without end for an answer that is collected',
    answer: () => endless([head(sse)], delta(block)),
    status: 500,
    code: 'provider_invalid_answer',
    reads: 88,
  },
  {
    name: 'an error without end',
    answer: () => endless([head('application/json', '400 Bad Request'), '{"error":{"message":"'], block),
    status: 400,
    code: null,
    reads: 4,
  },
  {
    name: 'an error that comes a byte at a time',
    answer: () => endless([head('application/json', '400 Bad Request')], 'x', 200),
    status: 400,
    code: null,
  },
  {
    name: 'headers that come a byte at a time',
    answer: () => endless(['HTTP/1.1 200 OK\r\nx-slow: '], 'x', 200),
    status: 503,
    code: 'provider_timeout',
  },
  {
    name: 'headers without end',
    answer: () => endless(['HTTP/1.1 200 OK\r\n'], `x-more: ${block}\r\n`),
    status: 503,
    code: 'provider_unreachable',
    reads: 16,
  },
  {
    name: 'hints before the answer without end',
    answer: () => endless([], 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 5),
    status: 503,
    code: 'provider_timeout',
  },
  {
    name: 'nothing after the headers',
    answer: () => endless([head('application/json')], '', 200),
    status: 503,
    code: 'provider_timeout',
  },
  {
    name: 'an answer packed a thousand times, which nobody asked for',
    answer: () => [head('application/json', '200 OK', 'content-encoding: gzip\r\n'), packed],
    status: 500,
    code: 'provider_invalid_answer',
  },
];

test.each(attacks)('$name', async ({ answer, stream, status, code, reads }) => {
  upstream.script(answer);
  await peakOf(gateway.pid);
  const [before, readBefore] = [peakOf(gateway.pid), readBy(gateway.pid)];
  const response = await ask({ stream });
  expect(response.status).toBe(status);
  const { error } = (await response.json()) as { error: { code: string | null; message: string } };
  expect(error.code).toBe(code);
  expect(error.message).not.toContain('xxxx');
  if (reads !== undefined) expect(readBy(gateway.pid) - readBefore).toBeLessThan(reads * megabyte);
  expect(peakOf(gateway.pid) - before).toBeLessThan(250 * megabyte);
});

describe('a stream that has begun', () => {
  test('ends with an error when it holds too much, and is counted as an estimate', async () => {
    upstream.script(() => endless([head(sse)], delta(block)));
    const response = await ask({ stream: true });
    let [last, bytes] = ['', 0];
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      last = (last + Buffer.from(chunk).toString()).slice(-2_000);
    }
    expect(bytes).toBeGreaterThan(60 * megabyte);
    expect(bytes).toBeLessThan(76 * megabyte);
    expect(last).toContain('"code":"provider_invalid_answer"');
    expect(last).not.toContain('[DONE]');
    const record = await recordOf(response.headers.get('x-request-id') ?? '');
    expect(record).toMatchObject({ attempts: [{ estimated: true }] });
  });

  test('of a hundred thousand pieces passes whole', async () => {
    const count = 100_000;
    const call = (index: number) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index, id: `c${index}`, function: { name: 'f', arguments: '{}' } }] } }] })}\n\n`;
    upstream.script(function* () {
      yield head(sse);
      for (let index = 0; index < count; index += 100) {
        yield Array.from({ length: 100 }, (_, more) => call(index + more)).join('');
      }
      yield 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n';
    });
    const text = await (await ask({ stream: true })).text();
    expect(text.match(/"name":"f"/g)).toHaveLength(count);
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
  });

  test('waits no longer than the silence timeout for a next byte', async () => {
    upstream.script(() => endless([head(sse), delta('one')], '', 200));
    const watch = startStopwatch();
    const text = await (await ask({ stream: true })).text();
    expect(text).toContain('provider_timeout');
    expect(text).not.toContain('[DONE]');
    expect(watch.waitedMs()).toBeLessThan(10_000);
  });
});

async function recordOf(id: string): Promise<unknown> {
  for (let tries = 0; tries < 50; tries++) {
    const response = await fetch(`${gateway.baseUrl}/usage/requests/${id}`, {
      headers: { authorization: `Bearer ${gateway.apiKey}` },
    });
    if (response.ok) return response.json();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('No record was written.');
}
