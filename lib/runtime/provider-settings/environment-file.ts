/** Sets or removes one variable in a file of environment variables, and leaves every other line unchanged. */
import { randomBytes } from 'node:crypto';
import { readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual, parseEnv } from 'node:util';
import { GatewayError } from '../../core/errors/errors.ts';

/** Quotes that a value may need; the first that works is used. */
const quotes = ['', "'", '"', '`'];

/** Creates the file if it does not exist. Afterwards only its owner can read it. */
export const setVariable = (path: string, name: string, value: string): Promise<void> =>
  replaceLine(path, name, value);

export const removeVariable = (path: string, name: string): Promise<void> => replaceLine(path, name);

async function replaceLine(path: string, name: string, value?: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const old = await readText(target);
  const text = withLine(old, name, value === undefined ? [] : [quoted(name, value)]);
  const before = parseEnv(old);
  // A value of several lines, or a name inside another value: such a file is not changed.
  const isLong = before[name]?.includes('\n');
  const { [name]: _, ...others } = before;
  const wanted = value === undefined ? others : { ...before, [name]: value };
  if (isLong || !isDeepStrictEqual({ ...parseEnv(text) }, { ...wanted })) {
    throw new GatewayError(
      'invalid_request',
      `Cannot ${value === undefined ? 'remove' : 'replace'} ${name} in ${path}: its value has several lines. Edit the file by hand.`,
    );
  }
  await replaceFile(target, text);
}

/** The variables in the file; none if it does not exist. */
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
  throw new GatewayError(
    'invalid_request',
    `This value cannot be written to an environment file. Set the environment variable ${name} instead.`,
  );
}

/** `line`: none to remove it. */
function withLine(text: string, name: string, line: readonly string[]): string {
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split('\n');
  const isOwn = (other: string) => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(other);
  const first = lines.findIndex(isOwn);
  const others = lines.filter((other) => !isOwn(other));
  return `${(first < 0 ? [...lines, ...line] : others.toSpliced(first, 0, ...line)).join('\n')}\n`;
}

/** Atomic. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx' });
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
