/** Files that the user of the command line names. */
import { readFile } from 'node:fs/promises';
import { getSystemErrorMessage } from 'node:util';

/** Rejects with an Error that names the file and what is wrong. */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(unreadable(path));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** For `catch`: throws an error that names the file and the reason. */
export const unreadable = (path: string) => (error: NodeJS.ErrnoException) => {
  const reason = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno);
  throw new Error(`Cannot read ${path}: ${reason}.`, { cause: error });
};
