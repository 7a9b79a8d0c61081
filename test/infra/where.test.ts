/** A stack trace of a built function, as it stands in a log, told as places in the sources. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAll } from '../../infra/build.ts';
import { toSources } from '../../infra/where.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
let directory = '';
let maps = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-where-'));
  maps = join(directory, 'maps/seed');
  await buildAll(directory);
});
afterAll(() => rm(directory, { recursive: true }));

/** What the built seed throws where it has no table. */
async function thrownBySeed(): Promise<string> {
  const bundle = JSON.stringify(join(directory, 'seed/index.mjs'));
  const program = `const { handler } = await import(${bundle});
    await handler().catch(({ stack }) => process.stdout.write(stack));`;
  const environment = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    env: environment,
  });
  return stdout;
}

/** Where these words first stand in a source, as a trace tells it. */
async function placeOf(source: string, words: string): Promise<string> {
  const lines = (await readFile(join(root, source), 'utf8')).split('\n');
  const line = lines.findIndex((text) => text.includes(words));
  return `${source}:${line + 1}:${(lines[line] ?? '').indexOf(words) + 1}`;
}

test('every place in the bundle is told as file, line and column of its source', async () => {
  const trace = await thrownBySeed();
  expect(trace).toMatch(/seed\/index\.mjs:\d+:\d+/);
  const told = toSources(trace, maps);
  expect(told).not.toContain('index.mjs');
  expect(told).toContain(await placeOf('infra/seed/handler.ts', 'new Error('));
  expect(told).toContain(await placeOf('infra/seed/handler.ts', 'variable(tables.catalog'));
});

test('a log line keeps all else that it says, and a trace within it is told alike', async () => {
  const [, first = '', second = ''] = (await thrownBySeed()).split('\n');
  const inLambda = (frame: string) => frame.trim().replace(/file:\/\/[^ )]*\/seed\//, 'file:///var/task/');
  const line = { level: 'ERROR', request_id: 'r-1', stack: ['Error', inLambda(first), inLambda(second)] };
  const told = JSON.parse(toSources(JSON.stringify(line), maps));
  expect(told).toMatchObject({ level: 'ERROR', request_id: 'r-1' });
  expect(told.stack[1]).toContain(`(${await placeOf('infra/seed/handler.ts', 'new Error(')})`);
});

test('what is in no file of the function stays as it is', () => {
  const trace = 'at read (node:fs:441:20)\nat go (file:///var/runtime/index-0.mjs:3:14)';
  expect(toSources(trace, maps)).toBe(trace);
});

test('the command says which functions there are when it is given none', async () => {
  const command = run(process.execPath, [join(root, 'infra/where.ts'), 'nobody']);
  await expect(command).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('chat-completions'),
  });
});
