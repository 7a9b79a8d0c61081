/** The checks of balancers and orchestrators, of a real server whose database comes and goes. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startServedGateway } from '../harness/gateways/served-gateway.ts';
import { startRelay } from '../harness/relay.ts';
import { use } from '../harness/use.ts';

const gateway = use(() => startServedGateway());
const relay = use(() => startRelay(gateway.database.endpoint));
const server = use(() => gateway.serve({ DYNAMODB_ENDPOINT: relay.url }));

async function ask(path: string, init?: RequestInit) {
  const response = await fetch(`${server.url}${path}`, init);
  return [response.status, await response.json()];
}

const ready = [200, { status: 'ok' }];
const withoutDatabase = [503, { status: 'unavailable', reason: 'database' }];

/** Asks until the answer is this one. */
async function becomes(expected: unknown): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (JSON.stringify(await ask('/readyz')) !== JSON.stringify(expected) && Date.now() < deadline)
    await pause(100);
  expect(await ask('/readyz')).toEqual(expected);
}

test('the process runs, and is ready', async () => {
  expect(await ask('/healthz')).toEqual(ready);
  expect(await ask('/readyz')).toEqual(ready);
});

test('the database is asked at most once in five seconds', async () => {
  // A server that has just started looks for webhooks that were pending.
  let before: number;
  do {
    before = relay.sent();
    await pause(300);
  } while (relay.sent() !== before);
  for (let index = 0; index < 50; index++) await ask('/readyz');
  expect(relay.sent() - before).toBeLessThan(2);
});

test('without its database it runs, but is not ready, and is again when the database is back', async () => {
  await relay.stop();
  await becomes(withoutDatabase);
  expect(await ask('/healthz')).toEqual(ready);
  await relay.start();
  await becomes(ready);
});

test('a check is not logged, and takes no other path', async () => {
  expect(await ask('/healthz')).toEqual(ready);
  const [status] = await ask('/healthz/more');
  expect(status).toBe(404);
  await server.line('request');
  const logged = server.lines.filter(({ message }) => message === 'request');
  expect(logged).toMatchObject([{ status: 404, gateway_response: 'UNKNOWN_ROUTE' }]);
});
