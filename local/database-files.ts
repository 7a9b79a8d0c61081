/** The files of the local database: where they are, who can read them, and what to do if they are damaged. */
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export const defaultDataDirectory = '.local';

export const databaseDirectory = (dataDirectory: string): string => join(dataDirectory, 'database');

/** Only their owner may enter the directories and read the files. They hold prompts, answers and keys of this machine. */
const privateDirectory = 0o700;
const privateFile = 0o600;

/** What the gateway writes into the data directory beside the database. */
const ownFiles = ['database.json', 'first-key', 'address'];

/** Creates the directories, and takes from other users what they could read of them and of files of an earlier start. */
export async function keepPrivate(dataDirectory: string): Promise<void> {
  const directory = databaseDirectory(dataDirectory);
  await mkdir(directory, { recursive: true, mode: privateDirectory });
  await chmod(directory, privateDirectory);
  if (await isOwn(dataDirectory)) await chmod(dataDirectory, privateDirectory);
  const names = (await readdir(directory)).map((name) => join(directory, name));
  const files = [...names, ...ownFiles.map((name) => join(dataDirectory, name))];
  // The engine replaces its files while it runs, and a new data directory has no others yet.
  await Promise.all(files.map((path) => chmod(path, privateFile).catch(ignoreMissing)));
}

/** A directory of another user, or one that all users share, stays as it is: the one inside is private. */
async function isOwn(directory: string): Promise<boolean> {
  const { uid, mode } = await stat(directory);
  const isShared = (mode & 0o1000) !== 0;
  return !isShared && uid === process.getuid?.();
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** Rejects if the files cannot be opened. The engine itself would throw in a callback, where nothing can catch it. */
export async function checkDatabase(directory: string): Promise<void> {
  // Loaded only here: commands import this file for its messages.
  const { ClassicLevel } = await import('classic-level');
  const files = new ClassicLevel(directory);
  try {
    await files.open();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw codeOf(cause) === 'LEVEL_LOCKED' ? inUse(directory) : damaged(directory, cause);
  } finally {
    await files.close();
  }
}

/**
 * Ends the process with a message if the engine finds damaged data while it runs. It throws that in a callback, so only
 * the process can catch it.
 */
export function exitOnDamage(directory: string): void {
  process.on('uncaughtException', (error) => {
    console.error(
      codeOf(error) === 'LEVEL_CORRUPTION' ? `Error: ${damaged(directory, error).message}` : error,
    );
    process.exit(1);
  });
}

const inUse = (directory: string) =>
  new Error(
    `The database in ${directory} is in use by another process. Stop it, or choose another GATEWAY_DATA_DIR.`,
  );

function damaged(directory: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `The database in ${directory} is damaged (${reason}). Move or delete that directory and start again; tenants, keys and usage stored there are lost.`;
  return new Error(message, { cause });
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
