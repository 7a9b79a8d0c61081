/** Tables that exist, as settings: which are refused. */
import { App } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { readSettings } from '../../infra/settings/settings.ts';

const read = (context: Record<string, unknown>) => readSettings(new App({ context }).node).adopted;

const place = 'arn:aws:dynamodb:eu-west-1:123456789012:table';
const usage = `${place}/Usage-restored`;
const usageStream = `${usage}/stream/2026-11-22T10:15:30.123`;

test('are given by their ARNs, the usage table also by that of its stream', () => {
  expect(read({ 'tables.usage': usage, 'tables.usageStream': usageStream })).toEqual(
    new Map([['usage', { arn: usage, streamArn: usageStream }]]),
  );
  const others = { catalog: `${place}/Catalog`, access: `${place}/Access`, state: `${place}/State` };
  expect([...read({ tables: others }).keys()]).toEqual(['catalog', 'access', 'state']);
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
  expect(() => read(context)).toThrow(message);
});
