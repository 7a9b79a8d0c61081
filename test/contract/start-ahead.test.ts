/** What a function begins while Lambda starts it, before its first request. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { built } from '../harness/built.ts';
import { type LambdaEngine, startLambdaEngine } from '../harness/lambda/engine.ts';

let bundles: string;
let database: Server;
let connections = 0;
let received = '';

beforeAll(async () => {
  database = createServer((socket) => {
    connections += 1;
    socket
      .on('error', () => {})
      .on('data', (data) => {
        received += data;
      });
  }).listen(0, '127.0.0.1');
  [bundles] = await Promise.all([built(), once(database, 'listening')]);
});
afterAll(async () => {
  database?.close();
});

/** A function that starts in this way, and gets no request. */
async function start(name: string, way: string | undefined): Promise<LambdaEngine> {
  connections = 0;
  received = '';
  return await startLambdaEngine({
    bundle: join(bundles, name, 'index.mjs'),
    environment: {
      DYNAMODB_ENDPOINT: `http://127.0.0.1:${(database.address() as AddressInfo).port}`,
      ...(way !== undefined && { AWS_LAMBDA_INITIALIZATION_TYPE: way }),
    },
  });
}

test('a function that starts for a request connects to the database before it has the request', async () => {
  const { log, close } = await start('chat-completions', 'on-demand');
  await vi.waitFor(() => expect(connections).toBe(1), { timeout: 20_000 });
  // V8 reports an option that it does not have.
  expect(log()).toBe('');
  await close();
});

test('that of the list of models reads the catalog before it has the request', async () => {
  const { log, close } = await start('models', 'on-demand');
  await vi.waitFor(() => expect(received).toContain('DynamoDB_20120810.Scan'), { timeout: 20_000 });
  expect(log()).toBe('');
  await close();
});

test.each(['provisioned-concurrency', undefined])('one that starts otherwise does not: %s', async (way) => {
  const started = await Promise.all(['chat-completions', 'models'].map((name) => start(name, way)));
  await pause(2_000);
  for (const { close } of started) await close();
  expect(connections).toBe(0);
});
