/** Settings in files, tables that exist as settings, and the data about settings. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterAll, describe, expect, test } from 'vitest';
import { identityRows, settingRows } from '../../infra/settings/rows.ts';
import { readSettings, settingDefaults } from '../../infra/settings/settings.ts';

const root = join(import.meta.dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'gateway-settings-'));
afterAll(() => rmSync(directory, { recursive: true }));

const read = (context: Record<string, unknown>) => readSettings(new App({ context }).node);

function file(content: string | object): string {
  const path = join(directory, 'settings.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('a settings file', () => {
  test('has the settings with the types of JSON, also in groups', () => {
    const usage = 'arn:aws:dynamodb:eu-west-1:123456789012:table/Usage';
    const config = file({
      throttleRate: 20,
      retain: false,
      corsOrigins: ['https://a.example.com', 'https://b.example.com'],
      reservedConcurrency: { models: 10, aggregate: '5' },
      tags: { team: 'ai' },
      tables: { usage, usageStream: `${usage}/stream/2026-11-22T10:15:30.123` },
    });
    expect(read({ config })).toMatchObject({
      throttle: { rate: 20, burst: 500 },
      retain: false,
      corsOrigins: ['https://a.example.com', 'https://b.example.com'],
      reservedConcurrency: new Map([
        ['models', 10],
        ['aggregate', 5],
      ]),
      tags: new Map([['team', 'ai']]),
      adopted: new Map([['usage', { arn: usage, streamArn: `${usage}/stream/2026-11-22T10:15:30.123` }]]),
    });
  });

  test('counts less than the command line', () => {
    const config = file({ throttleRate: 20, ledgerDays: 30 });
    expect(read({ config, throttleRate: '50' })).toMatchObject({ throttle: { rate: 50 }, ledgerDays: 30 });
  });

  test.each([
    [{ trottleRate: 5 }, '"trottleRate" is unknown. Did you mean "throttleRate"?'],
    [{ tables: { usages: 'x' } }, '"tables.usages" is unknown. Did you mean "tables.usage"?'],
    [{ retain: null }, '"retain" must be a text, a number, true or false.'],
    [{ throttleRate: [5] }, '"throttleRate" must be'],
    [{ corsOrigins: { a: 1 } }, '"corsOrigins" must be a list of texts.'],
    [{ tags: ['team'] }, '"tags" must be an object'],
    [{ config: 'other.json' }, '"config" belongs on the command line'],
    [{ throttleRate: 'fast' }, '"throttleRate" must be a whole number'],
    [[1], 'settings are one object'],
    ['{"retain": false,}', 'is no JSON'],
  ])('%j is refused with its place', (content, message) => {
    const config = file(content);
    expect(() => read({ config })).toThrow(message);
  });

  test('that is not there is named', () => {
    expect(() => read({ config: 'config/none.json' })).toThrow('config/none.json cannot be read: ENOENT');
  });

  test.each(readdirSync(join(root, 'config')))('%s, which ships with the gateway, is valid', (name) => {
    expect(() => read({ config: join(root, 'config', name) })).not.toThrow();
  });
});

test('an unknown setting on the command line is refused, and what is the CDK’s is not', () => {
  expect(() => read({ ledgerDay: '5' })).toThrow(
    'The setting "ledgerDay" is unknown. Did you mean "ledgerDays"?',
  );
  expect(() => read({ '@aws-cdk/core:x': true, 'availability-zones:account=1': [] })).not.toThrow();
});

test('each setting that is read has a row, and each row is read', () => {
  const read = [...settingDefaults().keys(), 'config'].sort();
  expect(settingRows.map(({ name }) => name).sort()).toEqual(read);
  expect(identityRows.map(({ name }) => name)).toEqual(['config', 'stackName']);
});

test.each(['', '1st', 'a_b', 'Model Gateway', '../x', 'AwsGateway', 'ssm-gateway', 'a'.repeat(125)])(
  'the name of a stack is not "%s"',
  (stackName) => {
    expect(() => read({ stackName })).toThrow('The setting "stackName" must be a letter');
  },
);

describe('tables that exist', () => {
  const place = 'arn:aws:dynamodb:eu-west-1:123456789012:table';
  const usage = `${place}/Usage-restored`;
  const usageStream = `${usage}/stream/2026-11-22T10:15:30.123`;

  test('are given by their ARNs, the usage table also by that of its stream', () => {
    expect(read({ 'tables.usage': usage, 'tables.usageStream': usageStream }).adopted).toEqual(
      new Map([['usage', { arn: usage, streamArn: usageStream }]]),
    );
    const others = { catalog: `${place}/Catalog`, access: `${place}/Access`, state: `${place}/State` };
    expect([...read({ tables: others }).adopted.keys()]).toEqual(['catalog', 'access', 'state']);
  });

  test.each([
    ['without its stream', { 'tables.usage': usage }, '"tables.usageStream"'],
    ['without its table', { 'tables.usageStream': usageStream }, '"tables.usageStream"'],
    [
      'with the stream of another table',
      { 'tables.usage': `${place}/Usage`, 'tables.usageStream': usageStream },
      '"tables.usageStream"',
    ],
    ['by a name', { 'tables.catalog': 'Catalog' }, '"tables.catalog"'],
    ['by the ARN of an index', { 'tables.access': `${place}/Access/index/byName` }, '"tables.access"'],
    [
      'of two accounts',
      { 'tables.access': `${place}/Access`, 'tables.state': `${place.replace('123', '124')}/State` },
      'one region and account',
    ],
    [
      'of two regions',
      { 'tables.access': `${place}/Access`, 'tables.state': `${place.replace('west', 'north')}/State` },
      'one region and account',
    ],
    ['twice', { 'tables.access': `${place}/Access`, 'tables.state': `${place}/Access` }, 'of its own each'],
    ['with an unknown name', { 'tables.ledger': usage }, '"tables.ledger" is unknown'],
  ])('are refused %s', (_, context, message) => {
    expect(() => read(context).adopted).toThrow(message);
  });
});
