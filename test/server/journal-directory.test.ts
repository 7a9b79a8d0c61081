/** Where a server notes records: a directory that nobody else may read, one for each database. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { journalDirectory } from '../../server/process/journal-directory.ts';

let parent = '';
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'gateway-journal-'));
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const pathOf = (variables: Readonly<Record<string, string>>) => journalDirectory(variables, parent);

test('it is made for this user alone, and found again', () => {
  const path = pathOf({ USAGE_TABLE: 'usage' });
  expect(dirname(path ?? '')).toBe(parent);
  expect(statSync(path ?? '').mode & 0o777).toBe(0o700);
  expect(pathOf({ USAGE_TABLE: 'usage', GATEWAY_WORKERS: '4' })).toBe(path);
});

test.each(['AWS_REGION', 'DYNAMODB_ENDPOINT', 'AWS_PROFILE', 'AWS_ACCESS_KEY_ID', 'USAGE_TABLE'])(
  'another %s is another database, which has its own',
  (name) => {
    const paths = [{}, { [name]: 'one' }, { [name]: 'other' }].map(pathOf);
    expect(new Set(paths).size).toBe(3);
  },
);

test.each<[string, (path: string) => void]>([
  [
    'others may read',
    (path) => {
      mkdirSync(path);
      chmodSync(path, 0o750);
    },
  ],
  ['is a file', (path) => writeFileSync(path, '', { mode: 0o600 })],
  ['leads elsewhere', (path) => symlinkSync(parent, path)],
])('one that %s is not used', (name, make) => {
  const path = pathOf({ AWS_PROFILE: name }) ?? '';
  rmSync(path, { recursive: true });
  make(path);
  expect(pathOf({ AWS_PROFILE: name })).toBeUndefined();
});

test('where nothing can be written, there is none', () => {
  expect(journalDirectory({}, join(parent, 'missing'))).toBeUndefined();
});
