/**
 * The files that run in Lambda, as built: they stand alone, start, and the seed among them fills a real table.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAll, bundles } from '../../infra/build.ts';
import { seedRows } from '../../infra/catalog/seed.ts';
import { operations } from '../../lib/core/operations.ts';
import { createCatalogStore } from '../../lib/stores/catalog.ts';
import { startTestDatabase } from '../stores/database.ts';

const run = promisify(execFile);
let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-bundles-'));
  await buildAll(directory);
});
afterAll(() => rm(directory, { recursive: true }));

/** Runs a program that imports a bundle as `bundle`, in a fresh process that finds no packages. */
async function withBundle(name: string, program: string, variables: Record<string, string> = {}) {
  const file = join(directory, name, 'index.mjs');
  // What Lambda's runtime offers to functions that stream.
  const platform = 'globalThis.awslambda = { streamifyResponse: (handler) => handler };';
  const source = `${platform} const bundle = await import(${JSON.stringify(file)}); ${program}; process.exit(0);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: directory,
    env: { AWS_REGION: 'us-east-1', ...variables },
  });
  return stdout;
}

test('there is one for each operation, and the seed', async () => {
  expect((await readdir(directory)).sort()).toEqual([...operations.map(({ name }) => name), 'seed'].sort());
});

test.each(Object.keys(bundles))('%s is one file that starts by itself and has a handler', async (name) => {
  expect(await readdir(join(directory, name))).toEqual(['index.mjs']);
  expect(await withBundle(name, 'process.stdout.write(typeof bundle.handler)')).toBe('function');
});

test('the seed fills the catalog, and may run again', async () => {
  const database = await startTestDatabase(['catalog']);
  const variables = {
    CATALOG_TABLE: 'catalog',
    DYNAMODB_ENDPOINT: database.endpoint,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  const said = { message: 'catalog seeded', written: seedRows.length, kept: 0 };
  try {
    for (const _ of ['first', 'again'])
      expect(JSON.parse(await withBundle('seed', 'await bundle.handler()', variables))).toEqual(said);
    const stored = await createCatalogStore({ call: database.call, table: 'catalog' }).list();
    expect(stored).toHaveLength(seedRows.length);
  } finally {
    await database.close();
  }
});

test('the seed fails where there is no table, so that the deployment fails too', async () => {
  const variables = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
  await expect(withBundle('seed', 'await bundle.handler()', variables)).rejects.toThrow('CATALOG_TABLE');
});
