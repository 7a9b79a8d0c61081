/** The settings of the server: their defaults, and errors that name the variable and its limit. */
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minBudgetBytes } from '../../server/process/memory-budget.ts';
import { readSettings } from '../../server/settings.ts';
import { type ServedGateway, startServedGateway } from '../harness/gateways/served-gateway.ts';

const minMemoryMb = Math.ceil(minBudgetBytes / 2 ** 20);

test('the defaults', () => {
  expect(readSettings({})).toEqual({
    port: 8_080,
    host: '127.0.0.1',
    workers: 1,
    drainMs: 30_000,
    noticeMs: 5_000,
    keepAliveMs: 65_000,
    memoryBytes: expect.any(Number),
    metricsPort: undefined,
    allowedHosts: undefined,
    corsOrigins: [],
    trustedProxies: 0,
    journalDirectory: undefined,
    dashboard: false,
  });
});

test('all of them', () => {
  const settings = readSettings({
    PORT: '0',
    HOST: '0.0.0.0',
    GATEWAY_WORKERS: '4',
    GATEWAY_DRAIN_SECONDS: '900',
    GATEWAY_NOTICE_SECONDS: '20',
    GATEWAY_KEEP_ALIVE_SECONDS: '930',
    GATEWAY_MEMORY_MB: '256',
    GATEWAY_METRICS_PORT: '9090',
    GATEWAY_ALLOWED_HOSTS: 'Gateway.example',
    GATEWAY_CORS_ORIGINS: '*',
    GATEWAY_TRUSTED_PROXIES: '2',
    GATEWAY_JOURNAL_DIRECTORY: '/journal',
    GATEWAY_DASHBOARD: 'on',
  });
  expect(settings).toEqual({
    port: 0,
    host: '0.0.0.0',
    workers: 4,
    drainMs: 900_000,
    noticeMs: 20_000,
    keepAliveMs: 930_000,
    memoryBytes: 256 * 1024 * 1024,
    metricsPort: 9_090,
    allowedHosts: ['gateway.example'],
    corsOrigins: ['*'],
    trustedProxies: 2,
    journalDirectory: '/journal',
    dashboard: true,
  });
});

test('as many workers as the machine can run at a time', () => {
  expect(readSettings({ GATEWAY_WORKERS: 'auto' }).workers).toBe(Math.min(availableParallelism(), 64));
});

test('an empty variable is none', () => {
  expect(readSettings({ PORT: '', HOST: '', GATEWAY_WORKERS: '' })).toMatchObject({
    port: 8_080,
    host: '127.0.0.1',
    workers: 1,
  });
});

test.each([
  ['PORT', '65536', 'PORT must be a whole number from 0 to 65535.'],
  ['PORT', '80.5', 'PORT must be'],
  ['GATEWAY_WORKERS', '0', 'GATEWAY_WORKERS must be a whole number from 1 to 64, or auto.'],
  ['GATEWAY_WORKERS', 'many', 'GATEWAY_WORKERS must be'],
  ['GATEWAY_NOTICE_SECONDS', '31', 'GATEWAY_NOTICE_SECONDS must be a whole number from 0 to 30.'],
  ['GATEWAY_DRAIN_SECONDS', '901', 'GATEWAY_DRAIN_SECONDS must be a whole number from 0 to 900.'],
  ['GATEWAY_KEEP_ALIVE_SECONDS', '0', 'GATEWAY_KEEP_ALIVE_SECONDS must be a whole number from 1 to 3600.'],
  ['GATEWAY_MEMORY_MB', '1', `GATEWAY_MEMORY_MB must be a whole number from ${minMemoryMb} to`],
  ['GATEWAY_METRICS_PORT', '0', 'GATEWAY_METRICS_PORT must be'],
  ['GATEWAY_TRUSTED_PROXIES', '-1', 'GATEWAY_TRUSTED_PROXIES must be'],
  ['GATEWAY_ALLOWED_HOSTS', 'a b', 'GATEWAY_ALLOWED_HOSTS must be'],
  ['GATEWAY_CORS_ORIGINS', 'nowhere', 'GATEWAY_CORS_ORIGINS must be'],
])('%s: %s is refused', (name, value, message) => {
  expect(() => readSettings({ [name]: value })).toThrow(message);
});

let gateway: ServedGateway;
beforeAll(async () => {
  gateway = await startServedGateway();
});
afterAll(() => gateway?.close());

test.each([
  [{ GATEWAY_WORKERS: 'many' }, 'GATEWAY_WORKERS must be'],
  [{ AWS_REGION: '' }, 'AWS_REGION'],
  [{ USAGE_TABLE: '', STATE_TABLE: '' }, 'Missing environment variables: STATE_TABLE, USAGE_TABLE.'],
  [{ HOST: '192.0.2.7' }, 'HOST is 192.0.2.7, which is no address of this machine.'],
])('a server with %j does not start, and its log has the reason', async (settings, reason) => {
  const server = gateway.spawn(settings);
  expect(await server.ended).toBe(1);
  const found = server.lines.filter(({ message }) => message === 'server did not start');
  expect(found).toMatchObject([{ level: 'ERROR', reason: expect.stringContaining(reason) }]);
});

test('a port that is in use, for requests or for metrics, is named', async () => {
  const { port } = new URL(gateway.upstream.url);
  for (const name of ['PORT', 'GATEWAY_METRICS_PORT']) {
    const server = gateway.spawn({ [name]: port });
    expect(await server.ended).toBe(1);
    const { reason } = await server.line('server did not start');
    expect(reason).toBe(`${name} is ${port}, which is in use.`);
  }
});
