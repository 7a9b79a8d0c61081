/** Large answers of providers, and bodies that become large: those for which a process has no memory are refused, and it goes on. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { minBudgetBytes } from '../../server/process/memory-budget.ts';
import { servedModel, startServedProcess } from '../harness/gateways/served-process.ts';
import { use } from '../harness/use.ts';

const megabyte = 1024 * 1024;

const served = use(() =>
  startServedProcess({
    nodeOptions: ['--max-old-space-size=256'],
    environment: { GATEWAY_MEMORY_MB: String(Math.ceil(minBudgetBytes / megabyte)) },
  }),
);

const request = { model: servedModel, max_tokens: 100, messages: [{ role: 'user', content: 'Hello.' }] };

function answerWith(characters: number): void {
  const message = { role: 'assistant', content: 'x'.repeat(characters) };
  const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
  const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
  served.upstream.script((_request, response) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    response.writeHead(200, headers).end(body);
  });
}

const statusOf = async (answer: Promise<Response>) => {
  const { status, body } = await answer;
  for await (const _ of body ?? []);
  return status;
};

test('an answer that no process of this size could hold is refused in the form of the operation', async () => {
  answerWith(40 * megabyte);
  const chat = await served.post('/v1/chat/completions', request);
  expect([chat.status, chat.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await chat.json()).toMatchObject({
    error: { type: 'service_unavailable_error', code: 'server_busy' },
  });
  const messages = await served.post('/v1/messages', request);
  expect(messages.status).toBe(529);
  expect(await messages.json()).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } });
  // Another attempt would cost as much again.
  expect(served.upstream.total).toBe(2);
});

test('of many large answers at a time, some are whole and the others refused, and everything is given back', async () => {
  answerWith(8 * megabyte);
  const statuses = await Promise.all(
    Array.from({ length: 24 }, () => statusOf(served.post('/v1/chat/completions', request))),
  );
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  answerWith(12 * megabyte);
  expect(await statusOf(served.post('/v1/chat/completions', request))).toBe(200);
  expect(served.child.exitCode).toBeNull();
});

test('a compressed body counts with what it becomes', async () => {
  answerWith(10);
  const body = gzipSync(
    JSON.stringify({ ...request, messages: [{ role: 'user', content: 'a'.repeat(9 * megabyte) }] }),
  );
  const ask = () =>
    statusOf(
      fetch(`${served.url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${served.apiKey}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body,
      }),
    );
  const statuses = await Promise.all(Array.from({ length: 8 }, ask));
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
});
