/** `npm run where`: positions in a stack trace of a built function become positions in the sources. */
import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { sourceMapsOf } from '../../build/build.ts';
import { type SourceMaps, toSources } from '../../build/where.ts';
import { built } from '../harness/built.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
let bundles = '';
let maps: SourceMaps;

beforeAll(async () => {
  bundles = await built();
  maps = await sourceMapsOf('seed');
});

/** The stack of an error that the built seed throws without a table. */
async function thrownBySeed(): Promise<string> {
  const bundle = JSON.stringify(join(bundles, 'seed/index.mjs'));
  const program = `const { handler } = await import(${bundle});
    await handler().catch(({ stack }) => process.stdout.write(stack));`;
  const environment = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    env: environment,
  });
  return stdout;
}

/** The position of the first occurrence of some words in a source, as in a trace. */
async function positionOf(source: string, words: string): Promise<string> {
  const lines = (await readFile(join(root, source), 'utf8')).split('\n');
  const line = lines.findIndex((text) => text.includes(words));
  return `${source}:${line + 1}:${(lines[line] ?? '').indexOf(words) + 1}`;
}

test('every position in the bundle becomes file, line and column of its source', async () => {
  const trace = await thrownBySeed();
  expect(trace).toMatch(/seed\/index\.mjs:\d+:\d+/);
  const translated = toSources(trace, maps);
  expect(translated).not.toContain('index.mjs');
  expect(translated).toContain(await positionOf('infra/seed/handler.ts', 'new Error('));
  expect(translated).toContain(
    await positionOf('infra/seed/handler.ts', 'required(variables, tables.catalog'),
  );
});

test('a log line stays unchanged except for the trace in it', async () => {
  const [, first = '', second = ''] = (await thrownBySeed()).split('\n');
  const inLambda = (frame: string) => frame.trim().replace(/file:\/\/[^ )]*\/seed\//, 'file:///var/task/');
  const line = { level: 'ERROR', request_id: 'r-1', stack: ['Error', inLambda(first), inLambda(second)] };
  const translated = JSON.parse(toSources(JSON.stringify(line), maps));
  expect(translated).toMatchObject({ level: 'ERROR', request_id: 'r-1' });
  expect(translated.stack[1]).toContain(`(${await positionOf('infra/seed/handler.ts', 'new Error(')})`);
});

test('positions in other files stay unchanged', () => {
  const trace = 'at read (node:fs:441:20)\nat go (file:///var/runtime/index-0.mjs:3:14)';
  expect(toSources(trace, maps)).toBe(trace);
});

describe('the command', () => {
  const where = (words: readonly string[], input = '') => {
    const program = [join(root, 'build/where.ts'), ...words];
    const { status, stdout, stderr } = spawnSync(process.execPath, program, { input, encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  test.each([
    [[], 'Error: Missing required argument: <function>'],
    [['missing'], 'Error: Unknown function: missing'],
  ])('with %j lists the functions, with exit code 2', (words, explanation) => {
    const { status, stderr } = where(words);
    expect(status).toBe(2);
    expect(stderr.split('\n')[0]).toBe(explanation);
    expect(stderr).toContain('chat-completions');
  });

  test('says that no position matches, and writes the text unchanged', () => {
    const { status, stdout, stderr } = where(['seed'], 'at go (file:///var/task/other.mjs:3:14)\n');
    expect({ status, stdout }).toEqual({ status: 1, stdout: 'at go (file:///var/task/other.mjs:3:14)\n' });
    expect(stderr).toContain('No position in this text belongs to a file of the function seed.');
  });
});
