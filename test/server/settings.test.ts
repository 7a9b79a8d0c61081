/** The settings of the server: their defaults, and errors that name the variable and its limit. */
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { tables } from '../../lib/core/tables.ts';
import { defaultBudgetBytes, minBudgetBytes } from '../../server/process/memory-budget.ts';
import { checkTables, readSettings } from '../../server/settings.ts';

const minMemoryMb = Math.ceil(minBudgetBytes / 2 ** 20);

test('the defaults', () => {
  expect(readSettings({})).toEqual({
    port: 8_080,
    host: '127.0.0.1',
    workers: 1,
    drainMs: 30_000,
    noticeMs: 5_000,
    keepAliveMs: 65_000,
    memoryBytes: defaultBudgetBytes(1),
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

test('the least of each number', () => {
  const settings = readSettings({
    GATEWAY_WORKERS: '1',
    GATEWAY_DRAIN_SECONDS: '0',
    GATEWAY_NOTICE_SECONDS: '0',
    GATEWAY_KEEP_ALIVE_SECONDS: '1',
    GATEWAY_TRUSTED_PROXIES: '0',
    GATEWAY_DASHBOARD: 'off',
  });
  expect(settings).toMatchObject({
    workers: 1,
    drainMs: 0,
    noticeMs: 0,
    keepAliveMs: 1_000,
    trustedProxies: 0,
    dashboard: false,
  });
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
  ['GATEWAY_DASHBOARD', 'yes', 'GATEWAY_DASHBOARD must be on or off.'],
  ['GATEWAY_CORS_ORIGINS', 'nowhere', 'GATEWAY_CORS_ORIGINS must be'],
])('%s: %s is refused', (name, value, message) => {
  expect(() => readSettings({ [name]: value })).toThrow(message);
});

test('a server needs all tables, and those that are missing are named', () => {
  const names = Object.values(tables).map(({ environmentVariable }) => environmentVariable);
  const all = Object.fromEntries(names.map((name) => [name, 'table']));
  expect(() => checkTables(all)).not.toThrow();
  expect(() => checkTables({ ...all, USAGE_TABLE: '' })).toThrow(
    'Missing environment variables: USAGE_TABLE.',
  );
});
