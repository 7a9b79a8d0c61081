/** Sets one variable in a file of environment variables, and leaves every other line as it is. */
import { randomBytes } from 'node:crypto';
import { readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual, parseEnv } from 'node:util';
import { UsageError } from '../command.ts';

/** What a variable may stand in; without any where it needs none. */
const quotes = ['', "'", '"', '`'];

/** Makes the file where there is none. In any case only its owner may read it from then on. */
export async function setVariable(path: string, name: string, value: string): Promise<void> {
  const place = await realpath(path).catch(() => path);
  const old = await readText(place);
  const text = withLine(old, name, quoted(name, value));
  const before = parseEnv(old);
  // A value may go over many lines, or the variable stand in another one's: such a file is not touched.
  const isLong = before[name]?.includes('\n');
  if (isLong || !isDeepStrictEqual({ ...parseEnv(text) }, { ...before, [name]: value })) {
    throw new UsageError(`${name} stands in ${path} in a form that cannot be replaced. Edit it by hand.`);
  }
  await replaceFile(place, text);
}

/** What the file sets; nothing where it is not there. */
export async function readVariablesOf(path: string): Promise<NodeJS.Dict<string>> {
  return parseEnv(await readText(path));
}

async function readText(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

function quoted(name: string, value: string): string {
  const lines = quotes.map((quote) => `${name}=${quote}${value}${quote}`);
  const line = lines.find((candidate) => parseEnv(candidate)[name] === value);
  if (line !== undefined) return line;
  throw new UsageError(
    `This value cannot be written into a file of variables. Set ${name} in the environment.`,
  );
}

function withLine(text: string, name: string, line: string): string {
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split('\n');
  const isOwn = (other: string) => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(other);
  const first = lines.findIndex(isOwn);
  const others = lines.filter((other) => !isOwn(other));
  return `${(first < 0 ? [...lines, line] : others.toSpliced(first, 0, line)).join('\n')}\n`;
}

/** Whole or not at all. */
async function replaceFile(path: string, text: string): Promise<void> {
  const made = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(made, text, { mode: 0o600, flag: 'wx' });
    await rename(made, path);
  } finally {
    await rm(made, { force: true });
  }
}
