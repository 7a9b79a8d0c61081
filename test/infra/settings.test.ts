/** The settings of a deployment. */
import { App } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { readSettings } from '../../infra/settings.ts';

const read = (context: Record<string, unknown>) => readSettings(new App({ context }).node);

test('the default is one gateway that retains its tables', () => {
  expect(read({})).toEqual({
    stackName: 'ModelGateway',
    retain: true,
    throttle: { rate: 1000, burst: 500 },
    ledgerDays: 90,
    cacheSeconds: 3600,
    memory: 512,
    corsOrigins: [],
    alertMail: '',
    exportBucket: '',
    exportFormat: 'focus',
    logLevel: 'INFO',
  });
});

test('settings are text on the command line, and may have types in a file', () => {
  const expected = {
    stackName: 'Trial',
    retain: false,
    throttle: { rate: 20, burst: 5 },
    ledgerDays: 30,
    cacheSeconds: 600,
    memory: 256,
    corsOrigins: ['https://a.example.com', 'http://localhost:3000'],
    alertMail: 'ops@example.com',
    exportBucket: 'acme-exports',
    exportFormat: 'jsonl',
    logLevel: 'DEBUG',
  };
  const corsOrigins = 'https://a.example.com, http://localhost:3000';
  const exports = { exportBucket: 'acme-exports', exportFormat: 'jsonl' };
  const named = {
    stackName: 'Trial',
    logLevel: 'DEBUG',
    corsOrigins,
    alertMail: 'ops@example.com',
    ...exports,
  };
  expect(
    read({
      ...named,
      retain: 'false',
      throttleRate: '20',
      throttleBurst: '5',
      ledgerDays: '30',
      cacheSeconds: '600',
      memory: '256',
    }),
  ).toEqual(expected);
  expect(
    read({
      ...named,
      retain: false,
      throttleRate: 20,
      throttleBurst: 5,
      ledgerDays: 30,
      cacheSeconds: 600,
      memory: 256,
    }),
  ).toEqual(expected);
});

test.each([
  ['retain', 'no'],
  ['throttleRate', '0'],
  ['throttleBurst', 'many'],
  ['ledgerDays', '0.5'],
  ['cacheSeconds', '-1'],
  ['memory', '127'],
  ['memory', '10241'],
  ['logLevel', 'loud'],
  ['corsOrigins', 'example.com'],
  ['alertMail', 'ops'],
  ['exportBucket', 'my.exports'],
  ['exportBucket', 'Exports'],
  ['exportFormat', 'parquet'],
  ['corsOrigins', 'https://example.com/'],
  ['corsOrigins', '*, https://example.com'],
])('a wrong %s is refused by name', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(`"${name}"`);
});
