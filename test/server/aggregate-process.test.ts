/** The aggregator as a process: what an operator reads when its database is not there, and how it stops then. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tables } from '../../lib/core/tables.ts';
import { freePort } from '../harness/free-port.ts';
import { spawnServer } from '../harness/gateways/served-gateway.ts';
import { startStopwatch } from '../harness/stopwatch.ts';

const file = join(import.meta.dirname, '../../server/aggregate.ts');

function start(databasePort: number) {
  const names = Object.entries(tables).map(([name, row]) => [row.environmentVariable, name]);
  const aggregator = spawnServer(file, {
    ...Object.fromEntries(names),
    DYNAMODB_ENDPOINT: `http://127.0.0.1:${databasePort}`,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    PORT: '0',
  });
  onTestFinished(() => void aggregator.child.kill('SIGKILL'));
  return aggregator;
}

test('a database that cannot be reached is in its log', async () => {
  const aggregator = start(await freePort());
  const line = await aggregator.line('stream not followed');
  expect(line).toMatchObject({ level: 'WARN', reason: expect.stringMatching(/./) });
  aggregator.signal('SIGTERM');
  expect(await aggregator.ended).toBe(0);
});

test('a database that does not answer does not hold up its end', async () => {
  const silent = createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const called = once(silent, 'connection');
  const aggregator = start((silent.address() as AddressInfo).port);
  await aggregator.line('aggregator listens');
  await called;
  const watch = startStopwatch();
  aggregator.signal('SIGTERM');
  await aggregator.ended;
  // Docker ends a container by force after ten seconds.
  expect(watch.waitedMs()).toBeLessThan(10_000);
}, 40_000);
