/** The answers to checks: whether the process runs, and whether it should get requests. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../server/http/node-http.ts';
import { createHealth } from '../../server/metrics/health.ts';

let time = 0;
let asked = 0;
let isThere = true;
let isDraining = false;
beforeEach(() => {
  time = 10_000_000;
  asked = 0;
  isThere = true;
  isDraining = false;
});

/** The status and body of an answer; undefined where the path is that of no check. */
async function start() {
  const health = createHealth({
    isDraining: () => isDraining,
    checkDatabase: async () => {
      asked += 1;
      return isThere;
    },
    now: () => time,
  });
  const listener = createServer((request, response) => {
    if (!health.answer(request.url ?? '', response)) response.writeHead(404).end();
  });
  await listen(listener, 0, '127.0.0.1');
  onTestFinished(() => void listener.close());
  const { port } = listener.address() as AddressInfo;
  return async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    if (response.status === 404) return undefined;
    expect(response.headers.get('cache-control')).toBe('no-store');
    return [response.status, await response.json()];
  };
}

const ready = [200, { status: 'ok' }];
const notReady = (reason: string) => [503, { status: 'unavailable', reason }];

test('a process that drains runs, and is not ready, whatever its database does', async () => {
  isDraining = true;
  const check = await start();
  expect([await check('/healthz'), await check('/readyz')]).toEqual([ready, notReady('draining')]);
  expect(asked).toBe(0);
});

test('a process without its database runs, and is not ready', async () => {
  isThere = false;
  const check = await start();
  expect([await check('/healthz'), await check('/readyz')]).toEqual([ready, notReady('database')]);
});

test('other paths are those of no check', async () => {
  const check = await start();
  expect([await check('/healthz/more'), await check('/')]).toEqual([undefined, undefined]);
});

test('the database is asked again after five seconds, and not before', async () => {
  const check = await start();
  expect(await check('/readyz')).toEqual(ready);
  isThere = false;
  time += 4_999;
  expect([await check('/readyz'), asked]).toEqual([ready, 1]);
  time += 1;
  expect([await check('/readyz'), asked]).toEqual([notReady('database'), 2]);
});

test('after a clock was set back, the database is asked again', async () => {
  const check = await start();
  expect([await check('/readyz'), await check('/readyz'), asked]).toEqual([ready, ready, 1]);
  time -= 3_600_000;
  expect([await check('/readyz'), asked]).toEqual([ready, 2]);
});
