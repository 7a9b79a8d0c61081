/** The error for a file that cannot be read. */
import { getSystemErrorMessage } from 'node:util';

/** For `catch`: throws an error that names the file and the reason. */
export const unreadable = (path: string) => (error: NodeJS.ErrnoException) => {
  const reason = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno);
  throw new Error(`Cannot read ${path}: ${reason}.`, { cause: error });
};
