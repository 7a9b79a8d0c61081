/** Files that the user of the command line names. */
import { readFile } from 'node:fs/promises';
import { getSystemErrorMessage } from 'node:util';

/** Rejects with an Error that names the file and what is wrong. */
export async function readJsonFile(path: string): Promise<unknown> {
  return parseJsonOf(path, await readFile(path, 'utf8').catch(unreadable(path)));
}

/** `source`: where the text is from. Throws an Error that names it and what is wrong. */
export function parseJsonOf(source: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${source} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** For `catch`: throws an error that names the file and the reason. */
export const unreadable = (path: string) => (error: NodeJS.ErrnoException) => {
  const reason = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno);
  throw new Error(`Cannot read ${path}: ${reason}.`, { cause: error });
};
