/** The files of the local database: where they are, and what to do if they are damaged. */
import { join } from 'node:path';

export const defaultDataDirectory = '.local';

export const databaseDirectory = (dataDirectory: string): string => join(dataDirectory, 'database');

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
