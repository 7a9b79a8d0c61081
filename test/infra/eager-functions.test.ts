/** What a first request runs is compiled while its file is read. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { projectDirectory } from '../../build/build.ts';
import { inParentheses, readFirstRequest } from '../../build/eager/eager-functions.ts';
import { newDirectory } from '../harness/new-directory.ts';

const directory = newDirectory();

const source = `
export const doubled = later(2);
export function later(count: number): number {
  return [count].map((each) => each * 2)[0] ?? 0;
}
export const listed = (count: number) => () => count;
async function* listedToo() {
  yield { method() {}, get value() { return 1; } };
}
export const unlisted = () => 'unlisted';
export function signed(one: string): string;
export function signed(one: string) {
  return one;
}
if (doubled !== 4) throw new Error('A function was called before it was there.');
`;

/** The names of the functions that V8 compiles when a module is loaded. */
async function compiledAtStart(text: string): Promise<readonly string[]> {
  const [module, log] = [join(directory, 'module.mjs'), join(directory, 'v8.log')];
  await writeFile(module, stripTypeScriptTypes(text));
  const flags = ['--log-function-events', `--logfile=${log}`, '--no-logfile-per-isolate'];
  await promisify(execFile)(process.execPath, [...flags, module]);
  const lines = (await readFile(log, 'utf8')).split('\n').map((line) => line.split(','));
  const script = lines.find(
    ([kind, , url]) => kind === 'script-details' && url?.endsWith('/module.mjs'),
  )?.[1];
  return lines
    .filter(([kind, event, of]) => kind === 'function' && event === 'interpreter' && of === script)
    .flatMap((line) => line.at(-1) || []);
}

test('listed functions are compiled at the start, and may be called before their place', async () => {
  const names = ['later', 'listed', 'listedToo', 'signed'];
  expect(await compiledAtStart(source)).toEqual(['later']);
  const compiled = await compiledAtStart(inParentheses('module.ts', source, names));
  expect(compiled.toSorted()).toEqual(['later', 'listed', 'listedToo']);
});

test('most of the list is in the sources: npm run bench -- --first-request writes it', async () => {
  const declared = await Promise.all(
    [...readFirstRequest()].map(async ([path, names]) => {
      const text = await readFile(join(projectDirectory, path), 'utf8').catch(() => '');
      const known = [...text.matchAll(/(?:function\*?|const|let|var) ([\w$]+)/g)].map(([, name]) => name);
      return names.map((name) => known.includes(name));
    }),
  );
  const found = declared.flat();
  expect(found.length).toBeGreaterThan(500);
  expect(found.filter((isFound) => isFound).length / found.length).toBeGreaterThan(0.9);
});
